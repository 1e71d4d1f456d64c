/* Readers of sample profiles: text, LLVM's binary forms, gcc's form.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "reader.h"
#include "sample-afdo.h"
#include "sample-binary.h"
#include "sample-text.h"
#include <stdlib.h>
#include <string.h>

/* A form: its reader, and its writer, with options chosen by CHOICE.  */
struct form
{
  bool (*recognise) (const void *data, size_t n);
  bool (*fold) (struct sample_profile *profile, const char *path,
		const void *data, size_t size, struct profile_error *err);
  bool (*write) (const struct sample_profile *profile, unsigned int choice,
		 void **data, size_t *size, struct profile_error *err);
};

static bool
write_text (const struct sample_profile *profile, unsigned int choice,
	    void **data, size_t *size, struct profile_error *err)
{
  const struct sample_text_options options = { .drop_vtables = choice % 2 };
  return sample_text_serialize (profile, &options, data, size, err);
}

static bool
write_binary (const struct sample_profile *profile, unsigned int choice,
	      void **data, size_t *size, struct profile_error *err)
{
  const struct sample_binary_options options = { .is_raw = choice % 2,
						 .keep_vtables = choice / 2 % 2,
						 .md5_names = choice / 4 % 2,
						 .compress = choice / 8 % 2,
						 .split = choice / 16 % 2 };
  return sample_binary_serialize (profile, &options, data, size, err);
}

static bool
write_afdo (const struct sample_profile *profile, unsigned int choice,
	    void **data, size_t *size, struct profile_error *err)
{
  return sample_afdo_serialize (profile, 1 + choice % 3, data, size, err);
}

static const struct form text
  = { sample_text_is_possible, sample_text_fold, write_text };
static const struct form binary
  = { sample_binary_has_magic, sample_binary_fold, write_binary };
static const struct form afdo
  = { sample_afdo_has_magic, sample_afdo_fold, write_afdo };

/* Read the SIZE bytes at DATA in FORM.  */
static struct sample_profile *
read_form (const struct form *form, const void *data, size_t size,
	   struct profile_error *err)
{
  struct sample_profile *profile = sample_profile_new ();
  if (!profile)
    profile_error_set_memory (err, READER_PATH);
  else if (!form->fold (profile, READER_PATH, data, size, err))
    {
      sample_profile_free (profile);
      profile = NULL;
    }
  return profile;
}

/* Read the *SIZE bytes at *DATA in FORM and write them again; replace *DATA and
 *SIZE by the output.  */
static bool
rewrite_form (const struct form *form, unsigned int choice, void **data,
	      size_t *size, struct profile_error *err)
{
  void *written;
  struct sample_profile *profile = read_form (form, *data, *size, err);
  bool done = (profile || reader_ran_out (err, "written output is rejected"))
	      && (form->write (profile, choice, &written, size, err)
		  || reader_ran_out (err, "it cannot be written again"));
  sample_profile_free (profile);
  if (done)
    {
      free (*data);
      *data = written;
    }
  return done;
}

/* Write PROFILE in FORM, which may omit data such as names.  Read the output
   and write it twice, which must not change it.  A form that cannot represent
   PROFILE must report an error.  */
static bool
write_form_again (const struct form *form, const struct sample_profile *profile,
		  unsigned int choice, struct profile_error *err)
{
  struct profile_error cause = { 0 };
  void *data;
  size_t size;
  if (!form->write (profile, choice, &data, &size, &cause))
    {
      if (cause.cause[0] == '\0')
	reader_fail ("writer rejects its input without a cause");
      return (strcmp (cause.cause, "out of memory") != 0
	      || profile_error_set_memory (err, READER_PATH));
    }
  if (!form->recognise (data, size))
    reader_fail ("written output is not recognised");
  bool done = rewrite_form (form, choice, &data, &size, err);
  size_t before_size = size;
  void *before = done ? malloc (size + 1) : NULL;
  if (before && size > 0)
    memcpy (before, data, size);
  done = done && (before || profile_error_set_memory (err, READER_PATH));
  done = done && rewrite_form (form, choice, &data, &size, err);
  if (done
      && (size != before_size
	  || (size > 0 && memcmp (data, before, size) != 0)))
    reader_fail ("what was written is read as something else");
  free (before);
  free (data);
  return done;
}

/* Read the SIZE bytes at DATA in FORM, and write the profile in all forms.  */
static bool
read_samples (const struct form *form, const unsigned char *data, size_t size,
	      struct profile_error *err)
{
  struct sample_profile *profile = read_form (form, data, size, err);
  reader_has_read ();
  if (!profile)
    return false;
  bool done = (write_form_again (&text, profile, size, err)
	       && write_form_again (&binary, profile, size, err)
	       && write_form_again (&afdo, profile, size, err));
  sample_profile_free (profile);
  return done;
}

static bool
read_text (const unsigned char *data, size_t size, struct profile_error *err)
{
  return read_samples (&text, data, size, err);
}

static bool
read_binary (const unsigned char *data, size_t size, struct profile_error *err)
{
  return read_samples (&binary, data, size, err);
}

static bool
read_afdo (const unsigned char *data, size_t size, struct profile_error *err)
{
  return read_samples (&afdo, data, size, err);
}

/* An inlined function of at least 3 bytes takes its struct of 150 and an
   element of a list that doubles.  */

const struct reader reader_sample_text = { .name = "sample-text",
					   .read = read_text,
					   .recognise = sample_text_is_possible,
					   .bounds = { 600000, 300 } };

/* Sections may be compressed.  */
const struct reader reader_sample_binary
  = { .name = "sample-binary",
      .read = read_binary,
      .recognise = sample_binary_has_magic,
      .bounds = { 600000, 40000 } };

const struct reader reader_sample_afdo = { .name = "sample-afdo",
					   .read = read_afdo,
					   .recognise = sample_afdo_has_magic,
					   .bounds = { 600000, 300 } };
