/* Sections of text next to the debug information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-compat.h"
#include "debug-texts.h"

bool
field_p (const char *text)
{
  for (; *text; text++)
    if ((unsigned char) *text < ' ' || *text == 0x7f)
      return false;
  return true;
}

void
debug_texts_output (FILE *file, const vec<char *> &entries, const char *name,
		    bool for_lto)
{
  if (entries.is_empty ())
    return;
  fprintf (file, "\t.pushsection\t%s,%s,@progbits,1\n", name,
	   for_lto ? "\"MSe\"" : "\"MS\"");
  for (unsigned i = 0; i < entries.length (); i++)
    {
      fprintf (file, "\t.string\t");
      output_quoted_string (file, entries[i]);
      fputc ('\n', file);
    }
  fprintf (file, "\t.popsection\n");
}
