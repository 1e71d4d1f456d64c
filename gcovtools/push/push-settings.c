/* Where and how profiles are sent.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "push-settings.h"
#include "diagnostics.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE_PREFIX "OTEL_EXPORTER_OTLP_"
#define DEFAULT_ENDPOINT "http://localhost:4318"
#define OTLP_PATH "/v1development/profiles"
#define PPROF_PATH "/ingest"
#define DEFAULT_TIMEOUT_MS 10000
#define SERVICE_NAME "service.name"

/* Return the value of the variable NAME, NULL if it is unset or empty.  */
static const char *
variable (const char *name)
{
  const char *value = getenv (name);
  return value != NULL && *value != '\0' ? value : NULL;
}

/* Return the value of the exporter's variable NAME, for profiles or in
   general.  */
static const char *
exporter_variable (const char *name)
{
  char text[sizeof VARIABLE_PREFIX + 64];
  snprintf (text, sizeof text, "%sPROFILES_%s", VARIABLE_PREFIX, name);
  const char *value = variable (text);
  if (value != NULL)
    return value;
  snprintf (text, sizeof text, "%s%s", VARIABLE_PREFIX, name);
  return variable (text);
}

static int
hexadecimal (char c)
{
  return !isxdigit ((unsigned char) c) ? -1
	 : isdigit ((unsigned char) c) ? c - '0'
				       : tolower ((unsigned char) c) - 'a' + 10;
}

/* Return the N bytes at TEXT without spaces around them, and with escapes
   replaced, malloced.  NULL if memory is exhausted.  */
static char *
decode (const char *text, size_t n)
{
  while (n > 0 && isspace ((unsigned char) *text))
    text++, n--;
  while (n > 0 && isspace ((unsigned char) text[n - 1]))
    n--;
  char *plain = malloc (n + 1);
  size_t length = 0;
  for (size_t i = 0; i < n && plain != NULL; i++)
    {
      bool is_escape = text[i] == '%' && i + 2 < n
		       && hexadecimal (text[i + 1]) >= 0
		       && hexadecimal (text[i + 2]) >= 0;
      plain[length++] = is_escape ? (char) (hexadecimal (text[i + 1]) * 16
					    + hexadecimal (text[i + 2]))
				  : text[i];
      i += is_escape ? 2 : 0;
    }
  if (plain != NULL)
    plain[length] = '\0';
  return plain;
}

/* Call TAKE for each KEY=VALUE of the comma-separated list TEXT, decoded; it
   owns both.  Return false if it does, or if TEXT is no such list.  */
static bool
take_pairs (const char *text,
	    bool (*take) (struct push_settings *, char *key, char *value),
	    struct push_settings *settings)
{
  while (*text != '\0')
    {
      size_t n = strcspn (text, ",");
      const char *equals = memchr (text, '=', n);
      size_t blank = strspn (text, " \t");
      if (equals != NULL)
	{
	  char *key = decode (text, (size_t) (equals - text));
	  char *value = decode (equals + 1, n - (size_t) (equals - text) - 1);
	  if (key == NULL || value == NULL || *key == '\0')
	    {
	      free (key);
	      free (value);
	      return false;
	    }
	  if (!take (settings, key, value))
	    return false;
	}
      else if (blank < n)
	return false;
      text += n + (text[n] == ',');
    }
  return true;
}

/* True if NAME and VALUE can be a header: one line, and a name of a token's
   characters.  */
static bool
is_header (const char *name, const char *value)
{
  for (const char *c = name; *c != '\0'; c++)
    if (!isalnum ((unsigned char) *c) && strchr ("!#$%&'*+-.^_`|~", *c) == NULL)
      return false;
  for (const char *c = value; *c != '\0'; c++)
    if (iscntrl ((unsigned char) *c) && *c != '\t')
      return false;
  return *name != '\0';
}

static bool
take_header (struct push_settings *settings, char *name, char *value)
{
  char *header = NULL;
  bool is_done = is_header (name, value);
  if (is_done)
    {
      size_t bytes = strlen (name) + strlen (value) + sizeof ": ";
      char **headers = realloc (settings->headers,
				(settings->header_count + 1) * sizeof *headers);
      header = malloc (bytes);
      if (headers != NULL)
	settings->headers = headers;
      is_done = headers != NULL && header != NULL;
      if (is_done)
	{
	  /* An empty value, too, is sent.  */
	  snprintf (header, bytes, "%s%s%s", name, *value != '\0' ? ": " : ";",
		    value);
	  headers[settings->header_count++] = header;
	  header = NULL;
	}
    }
  free (header);
  free (name);
  free (value);
  return is_done;
}

bool
push_settings_add_header (struct push_settings *settings, const char *text)
{
  return strchr (text, '=') != NULL && take_pairs (text, take_header, settings);
}

static bool
take_attribute (struct push_settings *settings, char *key, char *value)
{
  if (strcmp (key, SERVICE_NAME) == 0)
    {
      free (key);
      free (settings->service);
      settings->service = value;
      return true;
    }
  struct export_attribute *attributes
    = realloc (settings->attributes,
	       (settings->attribute_count + 1) * sizeof *attributes);
  if (attributes == NULL)
    {
      free (key);
      free (value);
      return false;
    }
  settings->attributes = attributes;
  attributes[settings->attribute_count++]
    = (struct export_attribute){ .key = key, .text = value };
  return true;
}

static bool
add_headers (struct push_settings *settings)
{
  const char *text = exporter_variable ("HEADERS");
  if (text == NULL || take_pairs (text, take_header, settings))
    return true;
  /* Its values may be secret.  */
  diagnostics_usage ("push", "invalid headers in " VARIABLE_PREFIX
			     "HEADERS or " VARIABLE_PREFIX "PROFILES_HEADERS");
  return false;
}

static bool
add_attributes (struct push_settings *settings)
{
  const char *text = variable ("OTEL_RESOURCE_ATTRIBUTES");
  const char *service = variable ("OTEL_SERVICE_NAME");
  if (text != NULL && !take_pairs (text, take_attribute, settings))
    {
      diagnostics_usage ("push", "invalid OTEL_RESOURCE_ATTRIBUTES '%s'", text);
      return false;
    }
  if (service == NULL)
    return true;
  free (settings->service);
  settings->service = strdup (service);
  if (settings->service == NULL)
    diagnostics_memory ();
  return settings->service != NULL;
}

static bool
take_timeout (struct push_settings *settings)
{
  const char *text = exporter_variable ("TIMEOUT");
  settings->timeout_ms = DEFAULT_TIMEOUT_MS;
  if (text == NULL)
    return true;
  char *end;
  errno = 0;
  long value = strtol (text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0
      || value > INT_MAX)
    {
      diagnostics_usage ("push", "invalid " VARIABLE_PREFIX "TIMEOUT '%s'",
			 text);
      return false;
    }
  /* 0 stands for no limit, as for libcurl.  */
  settings->timeout_ms = value;
  return true;
}

static bool
take_compression (struct push_settings *settings)
{
  const char *text = exporter_variable ("COMPRESSION");
  const char *protocol = exporter_variable ("PROTOCOL");
  if (protocol != NULL && strcmp (protocol, "http/protobuf") != 0)
    diagnostics_note ("protocol '%s' is not available; http/protobuf is used",
		      protocol);
  if (text == NULL || strcmp (text, "none") == 0)
    return true;
  settings->compresses = settings->format == PUSH_OTLP;
  if (strcmp (text, "gzip") == 0)
    return true;
  diagnostics_usage ("push",
		     "invalid " VARIABLE_PREFIX
		     "COMPRESSION '%s' (expected gzip or none)",
		     text);
  return false;
}

/* Return the part of URL from its path on.  */
static const char *
path_of (const char *url)
{
  const char *host = strstr (url, "://");
  host = host != NULL ? host + 3 : url;
  return host + strcspn (host, "/?#");
}

/* Return BASE and PATH, malloced, with one slash between them.  */
static char *
join (const char *base, const char *path)
{
  size_t n = strlen (base);
  while (n > 0 && base[n - 1] == '/')
    n--;
  char *url = malloc (n + strlen (path) + 1);
  if (url != NULL)
    {
      memcpy (url, base, n);
      strcpy (url + n, path);
    }
  return url;
}

static bool
take_url (struct push_settings *settings, const char *endpoint)
{
  const char *path = settings->format == PUSH_OTLP ? OTLP_PATH : PPROF_PATH;
  const char *exact = NULL;
  const char *base = NULL;
  if (endpoint == NULL && settings->format == PUSH_OTLP)
    {
      exact = variable (VARIABLE_PREFIX "PROFILES_ENDPOINT");
      base = variable (VARIABLE_PREFIX "ENDPOINT");
      endpoint = exact != NULL ? exact : base != NULL ? base : DEFAULT_ENDPOINT;
    }
  if (endpoint == NULL)
    {
      diagnostics_usage ("push", "--format=pprof needs --endpoint=URL");
      return false;
    }
  if (strncmp (endpoint, "http://", 7) != 0
      && strncmp (endpoint, "https://", 8) != 0)
    {
      diagnostics_usage ("push",
			 "invalid endpoint '%s' (expected a URL of "
			 "http or https)",
			 endpoint);
      return false;
    }
  const char *given = path_of (endpoint);
  bool has_path = given[0] != '\0' && strcmp (given, "/") != 0;
  settings->url = endpoint == base || (endpoint != exact && !has_path)
		    ? join (endpoint, path)
		  : endpoint == exact && given[0] == '\0' ? join (endpoint, "/")
							  : strdup (endpoint);
  if (settings->url == NULL)
    diagnostics_memory ();
  return settings->url != NULL;
}

bool
push_settings_complete (struct push_settings *settings, const char *endpoint)
{
  settings->certificate = exporter_variable ("CERTIFICATE");
  settings->client_certificate = exporter_variable ("CLIENT_CERTIFICATE");
  settings->client_key = exporter_variable ("CLIENT_KEY");
  return take_url (settings, endpoint) && add_headers (settings)
	 && add_attributes (settings) && take_timeout (settings)
	 && take_compression (settings);
}

void
push_settings_release (struct push_settings *settings)
{
  for (size_t i = 0; i < settings->header_count; i++)
    free (settings->headers[i]);
  for (size_t i = 0; i < settings->attribute_count; i++)
    {
      free ((void *) settings->attributes[i].key);
      free ((void *) settings->attributes[i].text);
    }
  free (settings->headers);
  free (settings->attributes);
  free (settings->service);
  free (settings->url);
}
