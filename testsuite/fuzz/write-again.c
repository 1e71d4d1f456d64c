/* Write what was read, read the output, and write it again.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "write-again.h"
#include "byte-writer.h"
#include "indexed-profile.h"
#include "memprof-yaml.h"
#include "pgo-text.h"
#include "reader.h"
#include "sample-text.h"
#include <stdlib.h>
#include <string.h>

/* A file in memory.  */
struct file
{
  void *data; /* malloced */
  size_t size;
};

/* Fail with WHAT unless FIRST and SECOND are equal.  Free both.  */
static void
compare (struct file *first, struct file *second, const char *what)
{
  if (first->size != second->size
      || (first->size > 0
	  && memcmp (first->data, second->data, first->size) != 0))
    reader_fail (what);
  free (first->data);
  free (second->data);
}

/* Replaces *FILE by the result of reading it and writing it again.  */
typedef bool rewriter (struct file *file, struct profile_error *err);

/* Fail with WHAT unless REWRITE leaves FILE unchanged.  Free it.  */
static bool
check_stays (struct file *file, rewriter *rewrite, const char *what,
	     struct profile_error *err)
{
  struct file second = { malloc (file->size + 1), file->size };
  bool done = second.data || profile_error_set_memory (err, READER_PATH);
  if (done && file->size > 0)
    memcpy (second.data, file->data, file->size);
  done = done && rewrite (&second, err);
  if (done)
    compare (file, &second, what);
  else
    {
      free (file->data);
      free (second.data);
    }
  return done;
}

/* ---- Indexed profiles.  */

static bool
write_indexed (const struct profile *profile, unsigned int choice,
	       struct file *file, struct profile_error *err)
{
  const struct indexed_profile_options options
    = { .file_version = 11 + choice % 3,
	.memprof_version = 2 + choice / 3 % 3,
	.full_schema = choice / 9 % 2,
	.keep_columns = choice / 18 % 2 };
  return (indexed_profile_serialize (profile, &options, &file->data,
				     &file->size, err)
	  || reader_ran_out (err, "what was read cannot be written"));
}

bool
write_indexed_again (const struct profile *profile, unsigned int choice,
		     struct profile_error *err)
{
  struct file first;
  struct file second;
  if (!write_indexed (profile, choice, &first, err))
    return false;
  struct profile *again
    = indexed_profile_parse (READER_PATH, first.data, first.size, err);
  bool done = (again || reader_ran_out (err, "written output is rejected"))
	      && write_indexed (again, choice, &second, err);
  profile_free (again);
  if (done)
    compare (&first, &second, "what was written is read as something else");
  else
    free (first.data);
  return done;
}

/* ---- Counters as text.  */

/* Return true if the writer that failed with *ERR rejected its input, rather
   than ran out of memory.  It must give a cause.  */
static bool
is_refusal (struct profile_error *err)
{
  if (err->cause[0] == '\0')
    reader_fail ("writer rejects its input without a cause");
  err->path = READER_PATH;
  return strcmp (err->cause, "out of memory") != 0;
}

static bool
write_text (const struct counter_profile *counters, struct file *file,
	    struct profile_error *err)
{
  struct pgo_text_losses losses;
  return pgo_text_serialize (counters, false, &file->data, &file->size, &losses,
			     err);
}

static bool
rewrite_text (struct file *file, struct profile_error *err)
{
  struct counter_profile *again = counter_profile_new ();
  bool done = again || profile_error_set_memory (err, READER_PATH);
  done = done
	 && (pgo_text_fold (again, READER_PATH, file->data, file->size, err)
	     || reader_ran_out (err, "written text is rejected"));
  struct file old = *file;
  done = done
	 && (write_text (again, file, err)
	     || reader_ran_out (err, "what was text cannot be written again"));
  counter_profile_free (again);
  if (done)
    free (old.data);
  return done;
}

bool
write_text_again (const struct counter_profile *counters,
		  struct profile_error *err)
{
  struct file first;
  if (!counters)
    return true;
  if (!write_text (counters, &first, err))
    return is_refusal (err);
  if (first.size == 0 || !pgo_text_is_possible (first.data, first.size)
      || sample_text_is_possible (first.data, first.size)
      || memprof_yaml_is_it (first.data, first.size))
    reader_fail ("written text is not recognised");
  /* Values without a name have the same name in text: they become one.  */
  if (rewrite_text (&first, err))
    return check_stays (&first, rewrite_text, "text is read as something else",
			err);
  free (first.data);
  return false;
}

/* ---- Heap profiles as YAML.  */

static bool
write_yaml (const struct heap_profile *heap, struct file *file,
	    struct profile_error *err)
{
  static const struct memprof_yaml_options options
    = { .full_schema = true, .keep_columns = true };
  struct byte_writer writer = { 0 };
  if (!memprof_yaml_write (&writer, heap, &options, err))
    {
      byte_writer_free (&writer);
      return false;
    }
  *file = (struct file){ writer.data, writer.size };
  return true;
}

static bool
rewrite_yaml (struct file *file, struct profile_error *err)
{
  struct heap_profile *again = heap_profile_new ();
  bool done = again || profile_error_set_memory (err, READER_PATH);
  done = done
	 && (memprof_yaml_read (again, READER_PATH, file->data, file->size, err)
	     || reader_ran_out (err, "written YAML is rejected"));
  struct file old = *file;
  done = done
	 && (write_yaml (again, file, err)
	     || reader_ran_out (err, "what was YAML cannot be written again"));
  heap_profile_free (again);
  if (done)
    free (old.data);
  return done;
}

/* Return true if names in FILE may lose a suffix.  */
static bool
has_suffixes (const struct file *file)
{
  return (memmem (file->data, file->size, ".part.", 6)
	  || memmem (file->data, file->size, ".llvm.", 6));
}

bool
write_yaml_again (const struct heap_profile *heap, struct profile_error *err)
{
  struct file first;
  if (!heap)
    return true;
  if (!write_yaml (heap, &first, err))
    return is_refusal (err);
  if (!memprof_yaml_is_it (first.data, first.size))
    reader_fail ("written YAML is not recognised");
  /* As in LLVM, a name of data loses one suffix of each kind whenever it is
     read, even if it has more of them.  */
  bool done = true;
  for (size_t before = SIZE_MAX;
       done && has_suffixes (&first) && first.size < before;)
    {
      before = first.size;
      done = rewrite_yaml (&first, err);
    }
  if (done)
    return check_stays (&first, rewrite_yaml, "YAML is read as something else",
			err);
  free (first.data);
  return false;
}
