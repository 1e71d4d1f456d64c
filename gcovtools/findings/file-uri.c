/* URIs of files, relative to a base folder where possible.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "file-uri.h"
#include "source-path.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return PREFIX and PATH with escapes.  */
static char *
escape (const char *prefix, const char *path, const char *suffix)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			      "abcdefghijklmnopqrstuvwxyz0123456789-._~/";
  char *uri
    = malloc (strlen (prefix) + 3 * strlen (path) + strlen (suffix) + 1);
  if (uri == NULL)
    return NULL;
  char *end = stpcpy (uri, prefix);
  for (; *path != '\0'; path++)
    if (strchr (plain, *path) != NULL)
      *end++ = *path;
    else
      end += sprintf (end, "%%%02X", (unsigned char) *path);
  strcpy (end, suffix);
  return uri;
}

char *
file_uri_folder (const char *folder)
{
  return source_path_absolute (folder != NULL ? folder : ".");
}

/* Return the part of PATH below the folder BASE; NULL if it is not there.  */
static const char *
part_below (const char *path, const char *base)
{
  size_t n = strlen (base);
  if (strcmp (base, "/") == 0)
    return path + 1;
  return strncmp (path, base, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

/* Return PATH, which is relative to BASE, as an absolute path.  */
static char *
make_absolute (const char *path, const char *base)
{
  char *whole;
  if (asprintf (&whole, "%s%s%s", *path == '/' ? "" : base,
		*path == '/' ? "" : "/", path)
      < 0)
    return NULL;
  char *normal = source_path_normalize (whole);
  free (whole);
  return normal;
}

char *
file_path_below (const char *path, const char *base)
{
  char *normal = make_absolute (path, base);
  if (normal == NULL)
    return NULL;
  const char *below = part_below (normal, base);
  char *result = below != NULL ? strdup (below) : normal;
  if (below != NULL)
    free (normal);
  return result;
}

char *
file_uri_make (const char *path, const char *base, bool *is_relative)
{
  char *normal = make_absolute (path, base);
  if (normal == NULL)
    return NULL;
  const char *below = part_below (normal, base);
  *is_relative = below != NULL;
  char *uri
    = below != NULL ? escape ("", below, "") : escape ("file://", normal, "");
  free (normal);
  return uri;
}

char *
file_uri_of_folder (const char *base)
{
  return escape ("file://", base, strcmp (base, "/") == 0 ? "" : "/");
}
