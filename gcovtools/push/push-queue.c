/* The queue of profiles that are to be sent.
   SPDX-License-Identifier: GPL-3.0-or-later

   Files of the folder:

     lock	      held by the process that uses it
     NAME.item	      a line that identifies the format, with the query, then
   what is sent; the name begins with the time, so that they sort RUN.last
   the last profile of a run

   A profile is queued before it becomes the last one of its run.  A process
   that ends in between leaves an item that the next one replaces.  */

#include "push-queue.h"
#include "atomic-file.h"
#include "file-content.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "heapprof-push 1 "
#define ITEM_ENDING ".item"
#define LAST_ENDING ".last"
#define NEXT_ENDING ".next"
#define LOCK_NAME "lock"

/* Runs whose program was killed are forgotten so long after their last
   snapshot.  */
#define FORGET_SECONDS (7 * 24 * 60 * 60)

static bool
fail (struct profile_error *err, const char *path)
{
  return profile_error_set (err, path, PROFILE_ERROR_NO_OFFSET, "%s",
			    strerror (errno));
}

static bool
ends_with (const char *name, const char *ending)
{
  size_t n = strlen (name), m = strlen (ending);
  return n > m && strcmp (name + n - m, ending) == 0;
}

static int
is_item (const struct dirent *entry)
{
  return ends_with (entry->d_name, ITEM_ENDING);
}

static int
is_last (const struct dirent *entry)
{
  return ends_with (entry->d_name, LAST_ENDING);
}

/* List the files of QUEUE that TAKES says, sorted; return their number, 0 on
   failure.  */
static size_t
list (const struct push_queue *queue, int (*takes) (const struct dirent *),
      struct dirent ***entries)
{
  int count = scandir (queue->folder, entries, takes, alphasort);
  return count > 0 ? (size_t) count : 0;
}

static void
free_list (struct dirent **entries, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free (entries[i]);
  if (count > 0)
    free (entries);
}

static void
path_in (const struct push_queue *queue, const char *name, char path[PATH_MAX])
{
  snprintf (path, PATH_MAX, "%s/%s", queue->folder, name);
}

static bool
make_temporary (struct push_queue *queue, struct profile_error *err)
{
  const char *folder = getenv ("TMPDIR");
  int n = snprintf (queue->folder, sizeof queue->folder, "%s/heapprof-XXXXXX",
		    folder != NULL && *folder != '\0' ? folder : "/tmp");
  errno = ENAMETOOLONG;
  queue->is_own
    = (size_t) n < sizeof queue->folder && mkdtemp (queue->folder) != NULL;
  return queue->is_own || fail (err, queue->folder);
}

static bool
make_folder (struct push_queue *queue, const char *folder,
	     struct profile_error *err)
{
  struct stat info;
  if ((size_t) snprintf (queue->folder, sizeof queue->folder, "%s", folder)
      >= sizeof queue->folder)
    return profile_error_set (err, folder, PROFILE_ERROR_NO_OFFSET, "%s",
			      strerror (ENAMETOOLONG));
  if (mkdir (folder, 0700) == 0)
    return true;
  if (errno != EEXIST || stat (folder, &info) != 0)
    return fail (err, folder);
  errno = ENOTDIR;
  return S_ISDIR (info.st_mode) || fail (err, folder);
}

bool
push_queue_open (struct push_queue *queue, const char *folder,
		 uint64_t most_bytes, struct profile_error *err)
{
  char path[PATH_MAX];
  *queue = (struct push_queue){ .lock = -1, .most_bytes = most_bytes };
  if (folder == NULL ? !make_temporary (queue, err)
		     : !make_folder (queue, folder, err))
    return false;
  path_in (queue, LOCK_NAME, path);
  queue->lock = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (queue->lock < 0)
    return fail (err, queue->folder);
  if (flock (queue->lock, LOCK_EX | LOCK_NB) == 0)
    return true;
  return profile_error_set (err, queue->folder, PROFILE_ERROR_NO_OFFSET,
			    "another process is using this queue");
}

void
push_queue_release (struct push_queue *queue)
{
  if (queue->lock >= 0)
    close (queue->lock);
  if (!queue->is_own)
    return;
  struct dirent **entries;
  size_t count = list (queue, NULL, &entries);
  for (size_t i = 0; i < count; i++)
    {
      char path[PATH_MAX];
      path_in (queue, entries[i]->d_name, path);
      unlink (path);
    }
  free_list (entries, count);
  rmdir (queue->folder);
}

#define RUN_BYTES 33

static void
run_name (const struct raw_identity *identity, char name[RUN_BYTES])
{
  for (size_t i = 0; i < sizeof identity->run_id; i++)
    snprintf (name + 2 * i, 3, "%02x", identity->run_id[i]);
}

/* Drop the oldest items until the others have room; the newest stays.  */
static void
make_room (struct push_queue *queue)
{
  struct dirent **entries;
  char path[PATH_MAX];
  struct stat info;
  size_t count = list (queue, is_item, &entries);
  uint64_t bytes = 0;
  for (size_t i = count; i-- > 0;)
    {
      path_in (queue, entries[i]->d_name, path);
      if (stat (path, &info) != 0)
	continue;
      bytes += (uint64_t) info.st_size;
      if (bytes <= queue->most_bytes || i + 1 == count)
	continue;
      /* This one and all older ones.  */
      bytes = queue->most_bytes;
      if (unlink (path) == 0)
	queue->dropped++;
    }
  free_list (entries, count);
}

bool
push_queue_add (struct push_queue *queue, const struct raw_identity *identity,
		uint64_t unix_ns, const char *query, const void *data,
		size_t size, struct profile_error *err)
{
  char name[128], path[PATH_MAX], run[RUN_BYTES];
  size_t head = strlen (MAGIC) + strlen (query) + 1;
  char *text = malloc (head + size + 1);
  if (text == NULL)
    return profile_error_set_memory (err, NULL);
  snprintf (text, head + 1, "%s%s\n", MAGIC, query);
  memcpy (text + head, data, size);
  run_name (identity, run);
  snprintf (name, sizeof name, "%020" PRIu64 "-%s-%d-%020" PRIu64 ITEM_ENDING,
	    unix_ns, run, identity->order, identity->snapshot);
  path_in (queue, name, path);
  bool is_done = atomic_file_write (path, text, head + size, err);
  if (!is_done)
    err->path = queue->folder;
  free (text);
  if (is_done)
    make_room (queue);
  return is_done;
}

size_t
push_queue_count (const struct push_queue *queue)
{
  struct dirent **entries;
  size_t count = list (queue, is_item, &entries);
  free_list (entries, count);
  return count;
}

bool
push_queue_first (const struct push_queue *queue, struct push_item *item,
		  struct profile_error *err)
{
  struct dirent **entries;
  void *data;
  size_t size;
  size_t count = list (queue, is_item, &entries);
  *item = (struct push_item){ 0 };
  err->path = NULL;
  if (count > 0)
    path_in (queue, entries[0]->d_name, item->path);
  free_list (entries, count);
  if (count == 0 || !file_content_read (item->path, &data, &size, err))
    return false;
  char *line = memchr (data, '\n', size);
  size_t magic = strlen (MAGIC);
  if (line == NULL || size < magic || memcmp (data, MAGIC, magic) != 0)
    {
      free (data);
      return profile_error_set (err, item->path, PROFILE_ERROR_NO_OFFSET,
				"not a profile that is to be sent");
    }
  *line = '\0';
  item->query = data;
  item->data = line + 1;
  item->size = size - (size_t) (line + 1 - item->query);
  memmove (item->query, item->query + magic, strlen (item->query + magic) + 1);
  return true;
}

void
push_item_release (struct push_item *item)
{
  free (item->query);
  item->query = NULL;
}

void
push_item_remove (struct push_item *item)
{
  unlink (item->path);
  push_item_release (item);
}

/* Set PATH to the file of the run of IDENTITY whose name has ENDING.  */
static void
run_path (const struct push_queue *queue, const struct raw_identity *identity,
	  const char *ending, char path[PATH_MAX])
{
  char run[RUN_BYTES], name[RUN_BYTES + 16];
  run_name (identity, run);
  snprintf (name, sizeof name, "%s%s", run, ending);
  path_in (queue, name, path);
}

bool
push_queue_former (const struct push_queue *queue,
		   const struct raw_identity *identity, char path[PATH_MAX],
		   struct raw_identity *former)
{
  struct profile_error err;
  run_path (queue, identity, LAST_ENDING, path);
  return access (path, F_OK) == 0 && raw_identity_read (path, former, &err)
	 && raw_identity_same_run (identity, former);
}

bool
push_queue_copy (const struct push_queue *queue,
		 const struct raw_identity *identity, const char *path,
		 char copy[PATH_MAX], struct profile_error *err)
{
  void *data;
  size_t size;
  run_path (queue, identity, NEXT_ENDING, copy);
  if (!file_content_read (path, &data, &size, err))
    return false;
  bool is_done = atomic_file_write (copy, data, size, err);
  if (!is_done)
    err->path = queue->folder;
  free (data);
  return is_done;
}

bool
push_queue_keep (const struct push_queue *queue,
		 const struct raw_identity *identity, struct profile_error *err)
{
  char copy[PATH_MAX], last[PATH_MAX];
  run_path (queue, identity, NEXT_ENDING, copy);
  run_path (queue, identity, LAST_ENDING, last);
  return rename (copy, last) == 0 || fail (err, queue->folder);
}

/* True if the run whose last profile is at PATH need not be remembered.  */
static bool
is_over (const char *path, const struct raw_identity *found, size_t count)
{
  struct raw_identity last;
  struct profile_error err;
  struct stat info;
  if (!raw_identity_read (path, &last, &err) || stat (path, &info) != 0)
    return true;
  for (size_t i = 0; i < count; i++)
    if (raw_identity_same_run (&last, &found[i]))
      return false;
  return last.order == RAW_COMPLETE
	 || time (NULL) - info.st_mtime > FORGET_SECONDS;
}

void
push_queue_forget (const struct push_queue *queue,
		   const struct raw_identity *found, size_t count)
{
  struct dirent **entries;
  char path[PATH_MAX];
  size_t files = list (queue, is_last, &entries);
  for (size_t i = 0; i < files; i++)
    {
      path_in (queue, entries[i]->d_name, path);
      if (is_over (path, found, count))
	unlink (path);
    }
  free_list (entries, files);
}
