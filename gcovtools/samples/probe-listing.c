/* The pseudo probes of a program as text.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "probe-listing.h"
#include "sample-profile.h"
#include "text-output.h"
#include <inttypes.h>

static void
print_name (const struct pseudo_probes *probes, uint32_t copy, FILE *stream)
{
  const struct pseudo_probe_function *function
    = &probes->functions[probes->copies[copy].function];
  write_text_bytes (function->name, function->name_bytes, "", stream);
}

/* Print the calls at which COPY is inlined, outermost first.  */
static void
print_sites (const struct pseudo_probes *probes, uint32_t copy, FILE *stream)
{
  uint32_t inner[SAMPLE_DEEPEST];
  uint32_t depth = 0;
  for (; probes->copies[copy].caller != PSEUDO_PROBE_NO_COPY;
       copy = probes->copies[copy].caller)
    inner[depth++] = copy;
  for (uint32_t i = depth; i-- > 0;)
    {
      fputs (i + 1 == depth ? ", inlined at " : " @ ", stream);
      print_name (probes, probes->copies[inner[i]].caller, stream);
      fprintf (stream, ":%" PRIu32, probes->copies[inner[i]].site);
    }
}

void
probe_listing_print (const struct pseudo_probes *probes, FILE *stream)
{
  static const char *const kinds[PSEUDO_PROBE_KINDS]
    = { "block", "indirect call", "direct call" };
  for (uint32_t i = 0; i < probes->function_count; i++)
    {
      const struct pseudo_probe_function *function = &probes->functions[i];
      fprintf (stream, "function %#018" PRIx64 ", CFG checksum %" PRIu64 ": ",
	       function->guid, function->checksum);
      write_text_bytes (function->name, function->name_bytes, "", stream);
      putc ('\n', stream);
    }
  for (uint32_t i = 0; i < probes->probe_count; i++)
    {
      const struct pseudo_probe *probe = &probes->probes[i];
      fprintf (stream, "address %#" PRIx64 ": ", probe->address);
      print_name (probes, probe->copy, stream);
      fprintf (stream, ":%" PRIu32, probe->number);
      if (probe->discriminator != 0)
	fprintf (stream, ".%" PRIu32, probe->discriminator);
      fprintf (stream, " %s", kinds[probe->kind]);
      print_sites (probes, probe->copy, stream);
      putc ('\n', stream);
    }
}
