/* Where and how profiles are sent.
   SPDX-License-Identifier: GPL-3.0-or-later

   What options do not say is taken from the environment, as OpenTelemetry's
   specification of exporters has it; a variable for profiles takes precedence
   over the general one.  Empty variables count as unset.  */

#ifndef HEAPPROF_PUSH_SETTINGS_H
#define HEAPPROF_PUSH_SETTINGS_H

#include "export.h"
#include <stdbool.h>
#include <stddef.h>

enum push_format
{
  PUSH_OTLP,
  PUSH_PPROF
};

struct push_settings
{
  enum push_format format;
  char *url;
  char **headers; /* NAME: VALUE */
  size_t header_count;
  long timeout_ms;
  bool compresses; /* OTLP; pprof's format is compressed */
  /* Files, NULL if not given.  */
  const char *certificate;
  const char *client_certificate;
  const char *client_key;
  char *service; /* name; NULL: that of the program */
  struct export_attribute *attributes;
  size_t attribute_count;
};

/* Add the header NAME=VALUE, whose VALUE may have escapes as in URLs.  Return
   false if it is invalid or memory is exhausted.  */
bool push_settings_add_header (struct push_settings *settings,
			       const char *text);

/* Complete *SETTINGS, which has a format and may have headers: ENDPOINT is a
   URL, or NULL.  On failure print an error and return false.  */
bool push_settings_complete (struct push_settings *settings,
			     const char *endpoint);
void push_settings_release (struct push_settings *settings);

#endif /* HEAPPROF_PUSH_SETTINGS_H */
