/* Finding raw profiles, and putting what is new in them into the queue.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "push-profiles.h"
#include "diagnostics.h"
#include "export.h"
#include "profile-since.h"
#include "program-module.h"
#include <errno.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of files that are being written.  */
#define TEMPORARY_ENDING ".tmp"

#define NS_PER_SECOND 1000000000u

/* A file, as it was when it was looked at.  */
struct seen_file
{
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec changed;
  bool is_there; /* in this scan */
  bool has_identity;
  struct raw_identity identity;
};

/* A file that may be new.  */
struct candidate
{
  char *path;
  struct raw_identity identity;
  uint64_t changed_ns;
  size_t seen; /* its number there */
};

struct scan
{
  struct push_profiles *profiles;
  struct candidate *candidates; /* malloced */
  size_t count;
};

static struct seen_file
describe (const struct stat *info)
{
  return (struct seen_file){ .device = info->st_dev,
			     .inode = info->st_ino,
			     .size = info->st_size,
			     .changed = info->st_mtim,
			     .is_there = true };
}

static struct seen_file *
find_seen (const struct push_profiles *profiles, const struct seen_file *file)
{
  for (size_t i = 0; i < profiles->seen_count; i++)
    {
      struct seen_file *seen = &profiles->seen[i];
      if (seen->device == file->device && seen->inode == file->inode
	  && seen->size == file->size
	  && seen->changed.tv_sec == file->changed.tv_sec
	  && seen->changed.tv_nsec == file->changed.tv_nsec)
	return seen;
    }
  return NULL;
}

static bool
add_seen (struct push_profiles *profiles, const struct seen_file *file)
{
  struct seen_file *seen = realloc (profiles->seen, (profiles->seen_count + 1)
						      * sizeof *profiles->seen);
  if (seen == NULL)
    return false;
  profiles->seen = seen;
  seen[profiles->seen_count++] = *file;
  return true;
}

static bool
add_candidate (struct scan *scan, const char *path,
	       const struct seen_file *file)
{
  struct candidate *candidates
    = realloc (scan->candidates, (scan->count + 1) * sizeof *candidates);
  char *copy = strdup (path);
  if (candidates != NULL)
    scan->candidates = candidates;
  if (candidates == NULL || copy == NULL)
    {
      free (copy);
      return false;
    }
  candidates[scan->count++]
    = (struct candidate){ .path = copy,
			  .identity = file->identity,
			  .changed_ns
			  = (uint64_t) file->changed.tv_sec * NS_PER_SECOND
			    + (uint64_t) file->changed.tv_nsec,
			  .seen = scan->profiles->seen_count - 1 };
  return true;
}

/* Look at the file PATH.  Return false if memory is exhausted.  */
static bool
look_at (struct scan *scan, const char *path)
{
  struct push_profiles *profiles = scan->profiles;
  struct profile_error err;
  struct stat info;
  size_t n = strlen (path), ending = strlen (TEMPORARY_ENDING);
  if ((n > ending && strcmp (path + n - ending, TEMPORARY_ENDING) == 0)
      || (stat (path, &info) == 0 && S_ISDIR (info.st_mode)))
    return true;
  if (stat (path, &info) != 0)
    info = (struct stat){ 0 };
  struct seen_file file = describe (&info);
  struct seen_file *seen = find_seen (profiles, &file);
  if (seen != NULL)
    {
      seen->is_there = true;
      return true;
    }
  file.has_identity = raw_identity_read (path, &file.identity, &err);
  /* It may have been removed since its name was read.  */
  bool is_gone
    = !file.has_identity && profiles->skips_running && access (path, F_OK) != 0;
  if (is_gone)
    return true;
  if (!file.has_identity)
    {
      diagnostics_error (&err);
      profiles->invalid++;
    }
  /* The file of a running process changes without a new time.  */
  if (file.has_identity && file.identity.order == RAW_RUNNING
      && profiles->skips_running)
    return true;
  return add_seen (profiles, &file)
	 && (!file.has_identity || add_candidate (scan, path, &file));
}

/* Look at the files that PATTERN matches.  */
static bool
look_for (struct scan *scan, const char *pattern)
{
  glob_t found;
  bool is_done = true;
  int status = glob (pattern, GLOB_NOSORT, NULL, &found);
  if (status == GLOB_NOSPACE)
    return false;
  if (status != 0)
    /* An error if it should be there.  */
    return scan->profiles->follows || look_at (scan, pattern);
  for (size_t i = 0; i < found.gl_pathc && is_done; i++)
    is_done = look_at (scan, found.gl_pathv[i]);
  globfree (&found);
  return is_done;
}

/* Those of a run together, the earlier ones first.  */
static int
compare (const void *a, const void *b)
{
  const struct raw_identity *x = &((const struct candidate *) a)->identity;
  const struct raw_identity *y = &((const struct candidate *) b)->identity;
  int order = memcmp (x->run_id, y->run_id, sizeof x->run_id);
  return order != 0			 ? order
	 : raw_identity_is_before (x, y) ? -1
					 : raw_identity_is_before (y, x);
}

/* Write what is sent for the profile HEAP of CANDIDATE, which ended at UNIX_NS,
   to OUT.  */
static bool
write_body (const struct push_profiles *profiles,
	    const struct candidate *candidate, struct heap_profile *heap,
	    uint64_t unix_ns, FILE *out)
{
  const struct push_settings *settings = profiles->settings;
  struct export_attribute attributes[settings->attribute_count + 1];
  const struct report_options options = { .demangle = true };
  struct heap_report report;
  for (size_t i = 0; i < settings->attribute_count; i++)
    attributes[i] = settings->attributes[i];
  attributes[settings->attribute_count]
    = (struct export_attribute){ .key = "process.pid",
				 .number = candidate->identity.pid };
  if (!heap_report_make (&report, heap, &options))
    return false;
  heap_report_flatten (&report);
  const struct export_input input
    = { .report = &report,
	.title = candidate->path,
	.end_unix_ns = unix_ns,
	.attributes = attributes,
	.attribute_count = settings->attribute_count + 1,
	.service = settings->service };
  bool is_done
    = export_write (settings->format == PUSH_OTLP ? export_otlp : export_pprof,
		    &input, true, out);
  heap_report_release (&report);
  return is_done;
}

/* Return the name of the program of HEAP for a URL, with what is not plain
   replaced, malloced.  */
static char *
service_name (const struct push_profiles *profiles,
	      const struct heap_profile *heap)
{
  const char *name = profiles->settings->service;
  if (name == NULL)
    {
      uint32_t module = program_module_find (heap);
      if (module == UINT32_MAX)
	return NULL;
      name = heap_profile_string (heap, module);
      const char *slash = strrchr (name, '/');
      name = slash != NULL ? slash + 1 : name;
    }
  char *text = malloc (3 * strlen (name) + sizeof "unknown");
  char *end = text;
  if (text == NULL)
    return NULL;
  *end = '\0';
  for (; *name != '\0'; name++)
    if (strchr ("%&=+#{}\"", *name) == NULL && *name > ' ' && *name <= '~')
      {
	*end++ = *name;
	*end = '\0';
      }
    else
      end += sprintf (end, "%%%02X", (unsigned int) (unsigned char) *name);
  return *text != '\0' ? text : strcpy (text, "unknown");
}

/* Return the query of the URL for HEAP, which ended at UNIX_NS, malloced.  */
static char *
make_query (const struct push_profiles *profiles,
	    const struct heap_profile *heap, uint64_t unix_ns)
{
  if (profiles->settings->format == PUSH_OTLP)
    return strdup ("");
  uint64_t duration = heap_profile_read_totals (heap)->duration_ns;
  char *query = NULL;
  char *name = service_name (profiles, heap);
  if (name != NULL
      && asprintf (&query,
		   "name=%s&from=%" PRIu64 "&until=%" PRIu64 "&format=pprof",
		   name,
		   (unix_ns > duration ? unix_ns - duration : unix_ns)
		     / NS_PER_SECOND,
		   unix_ns / NS_PER_SECOND)
	   < 0)
    query = NULL;
  free (name);
  return query;
}

/* Queue HEAP of CANDIDATE.  */
static bool
queue_heap (const struct push_profiles *profiles, struct push_queue *queue,
	    const struct candidate *candidate, struct heap_profile *heap)
{
  const struct raw_identity *identity = &candidate->identity;
  uint64_t unix_ns = identity->duration_ns > 0
		       ? identity->start_unix_ns + identity->duration_ns
		       : candidate->changed_ns;
  struct profile_error err;
  char *data = NULL;
  size_t size = 0;
  char *query = make_query (profiles, heap, unix_ns);
  FILE *out = open_memstream (&data, &size);
  bool is_made = query != NULL && out != NULL
		 && write_body (profiles, candidate, heap, unix_ns, out);
  if (out != NULL)
    is_made = fclose (out) == 0 && is_made;
  if (!is_made)
    profile_error_set_memory (&err, NULL);
  bool is_done
    = is_made
      && push_queue_add (queue, identity, unix_ns, query, data, size, &err);
  if (!is_done)
    diagnostics_error (&err);
  free (data);
  free (query);
  return is_done;
}

/* Return what was sent last of the run of CANDIDATE, if that is part of it;
   NULL if nothing was.  Set *IS_OLD if CANDIDATE is no newer.  */
static const char *
former_of (const struct push_profiles *profiles, const struct push_queue *queue,
	   const struct candidate *candidate, char path[PATH_MAX], bool *is_old)
{
  struct raw_identity former;
  *is_old = false;
  if (profiles->since != NULL)
    return profiles->since;
  if (!push_queue_former (queue, &candidate->identity, path, &former))
    return NULL;
  *is_old = !raw_identity_is_before (&former, &candidate->identity);
  /* After heapprof_reset all is new.  */
  return raw_identity_is_part (&former, &candidate->identity) ? path : NULL;
}

/* Read CANDIDATE from COPY, and queue what FORMER, if it is not NULL, does not
   have.  Set *IS_VALID to false if it cannot be read.  Return false if the
   queue does not take it.  */
static bool
queue_copy (const struct push_profiles *profiles, struct push_queue *queue,
	    const struct candidate *candidate, char *copy, const char *former,
	    bool *is_valid)
{
  struct profile_inputs inputs = profiles->inputs;
  inputs.paths = &copy;
  inputs.path_count = 1;
  struct profile *profile = profile_inputs_read (&inputs);
  *is_valid = profile != NULL && profile->heap != NULL
	      && (former == NULL || profile_since (&inputs, former, profile));
  bool is_done
    = !*is_valid || queue_heap (profiles, queue, candidate, profile->heap);
  profile_free (profile);
  return is_done;
}

/* Queue what is new in CANDIDATE.  Set *IS_VALID to false if it cannot be read;
   one that a running program has removed does not count.  Return false if the
   queue does not take it.  */
static bool
queue_candidate (const struct push_profiles *profiles, struct push_queue *queue,
		 const struct candidate *candidate, bool *is_valid)
{
  char path[PATH_MAX], copy[PATH_MAX];
  bool is_old;
  struct profile_error err;
  const char *former = former_of (profiles, queue, candidate, path, &is_old);
  *is_valid = true;
  if (is_old)
    return true;
  if (!push_queue_copy (queue, &candidate->identity, candidate->path, copy,
			&err))
    {
      if (profiles->follows && access (candidate->path, F_OK) != 0)
	return true;
      diagnostics_error (&err);
      return false;
    }
  if (!queue_copy (profiles, queue, candidate, copy, former, is_valid))
    return false;
  if (!*is_valid || push_queue_keep (queue, &candidate->identity, &err))
    return true;
  diagnostics_error (&err);
  return false;
}

/* Leave out files that do not exist any more.  */
static void
forget_files (struct push_profiles *profiles, struct push_queue *queue)
{
  size_t count = 0, named = 0;
  struct raw_identity *found = calloc (profiles->seen_count + 1, sizeof *found);
  for (size_t i = 0; i < profiles->seen_count; i++)
    if (profiles->seen[i].is_there)
      {
	profiles->seen[count] = profiles->seen[i];
	profiles->seen[count].is_there = false;
	if (found != NULL && profiles->seen[count].has_identity)
	  found[named++] = profiles->seen[count].identity;
	count++;
      }
  profiles->seen_count = count;
  if (found != NULL)
    push_queue_forget (queue, found, named);
  free (found);
}

bool
push_profiles_scan (struct push_profiles *profiles, struct push_queue *queue)
{
  struct scan scan = { .profiles = profiles };
  bool is_done = true;
  for (size_t i = 0; i < profiles->pattern_count && is_done; i++)
    is_done = look_for (&scan, profiles->patterns[i]);
  if (!is_done)
    diagnostics_memory ();
  if (scan.count > 0)
    qsort (scan.candidates, scan.count, sizeof *scan.candidates, compare);
  for (size_t i = 0; i < scan.count && is_done; i++)
    {
      const struct candidate *candidate = &scan.candidates[i];
      bool is_valid;
      is_done = queue_candidate (profiles, queue, candidate, &is_valid);
      profiles->invalid += !is_valid;
      if (profiles->deletes && is_done && is_valid
	  && candidate->identity.order != RAW_RUNNING
	  && unlink (candidate->path) == 0)
	profiles->seen[candidate->seen].is_there = false;
    }
  for (size_t i = 0; i < scan.count; i++)
    free (scan.candidates[i].path);
  free (scan.candidates);
  if (is_done)
    forget_files (profiles, queue);
  return is_done;
}

void
push_profiles_release (struct push_profiles *profiles)
{
  free (profiles->seen);
}
