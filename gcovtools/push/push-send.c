/* Sending a profile over HTTP, with libcurl.
   SPDX-License-Identifier: GPL-3.0-or-later

   libcurl and the libraries that it needs are loaded when something is sent, so
   that no other command has to wait for them.  */

#include "push-send.h"
#include "config.h"
#include "diagnostics.h"
#include <stdlib.h>

#ifdef HAVE_CURL

#include "gzip-writer.h"
#include "plain-text.h"
#include <curl/curl.h>
#include <dlfcn.h>
#include <string.h>

/* Of an answer, more is not looked at.  */
#define MOST_ANSWER_BYTES 65536

struct library
{
  CURLcode (*global_init) (long flags);
  CURL *(*easy_init) (void);
  CURLcode (*easy_setopt) (CURL *curl, CURLoption option, ...);
  CURLcode (*easy_perform) (CURL *curl);
  CURLcode (*easy_getinfo) (CURL *curl, CURLINFO info, ...);
  void (*easy_cleanup) (CURL *curl);
  struct curl_slist *(*slist_append) (struct curl_slist *list,
				      const char *text);
  void (*slist_free_all) (struct curl_slist *list);
};

struct push_sender
{
  const struct push_settings *settings;
  const volatile sig_atomic_t *stops;
  struct library library;
  CURL *curl;
  struct curl_slist *headers;
  char reason[CURL_ERROR_SIZE];
  char answer[MOST_ANSWER_BYTES];
  size_t answer_bytes;
};

/* Debian's libraries for OpenSSL and GnuTLS have different names.  */
static const char *const library_names[]
  = { "libcurl.so.4", "libcurl-gnutls.so.4" };

static bool
load (struct library *library)
{
  const struct
  {
    const char *name;
    void *place;
  } functions[] = { { "curl_global_init", &library->global_init },
		    { "curl_easy_init", &library->easy_init },
		    { "curl_easy_setopt", &library->easy_setopt },
		    { "curl_easy_perform", &library->easy_perform },
		    { "curl_easy_getinfo", &library->easy_getinfo },
		    { "curl_easy_cleanup", &library->easy_cleanup },
		    { "curl_slist_append", &library->slist_append },
		    { "curl_slist_free_all", &library->slist_free_all } };
  void *handle = NULL;
  for (size_t i = 0;
       i < sizeof library_names / sizeof *library_names && handle == NULL; i++)
    handle = dlopen (library_names[i], RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    {
      void *function
	= handle != NULL ? dlsym (handle, functions[i].name) : NULL;
      if (function == NULL)
	return false;
      memcpy (functions[i].place, &function, sizeof function);
    }
  return true;
}

/* Keep the answer of the server.  */
static size_t
take_answer (char *data, size_t one, size_t count, void *argument)
{
  struct push_sender *sender = argument;
  size_t n = one * count;
  size_t room = sizeof sender->answer - sender->answer_bytes;
  size_t kept = n < room ? n : room;
  memcpy (sender->answer + sender->answer_bytes, data, kept);
  sender->answer_bytes += kept;
  return n;
}

/* Tell libcurl whether to give up.  */
static int
check_stop (void *argument, curl_off_t to_get, curl_off_t got,
	    curl_off_t to_send, curl_off_t sent)
{
  const struct push_sender *sender = argument;
  (void) to_get, (void) got, (void) to_send, (void) sent;
  return *sender->stops != 0;
}

static bool
set_headers (struct push_sender *sender)
{
  const struct push_settings *settings = sender->settings;
  const char *const own[]
    = { settings->format == PUSH_OTLP
	  ? "Content-Type: application/x-protobuf"
	  : "Content-Type: application/octet-stream",
	/* A server need not be asked before it gets the data.  */
	"Expect:", settings->compresses ? "Content-Encoding: gzip" : NULL };
  size_t own_count = sizeof own / sizeof *own - !settings->compresses;
  for (size_t i = 0; i < own_count + settings->header_count; i++)
    {
      struct curl_slist *longer
	= sender->library.slist_append (sender->headers,
					i < own_count
					  ? own[i]
					  : settings->headers[i - own_count]);
      if (longer == NULL)
	return false;
      sender->headers = longer;
    }
  return true;
}

/* Set what is the same for all profiles.  */
static bool
set_options (struct push_sender *sender)
{
  const struct push_settings *settings = sender->settings;
  const struct library *library = &sender->library;
  CURL *curl = sender->curl;
  CURLcode code
    = library->easy_setopt (curl, CURLOPT_HTTPHEADER, sender->headers);
  const struct
  {
    CURLoption option;
    long value;
  } numbers[] = { { CURLOPT_NOSIGNAL, 1 },
		  { CURLOPT_NOPROGRESS, 0 },
		  { CURLOPT_TIMEOUT_MS, settings->timeout_ms },
		  { CURLOPT_POST, 1 },
		  { CURLOPT_FOLLOWLOCATION, 0 } };
  const struct
  {
    CURLoption option;
    const void *value;
  } pointers[] = { { CURLOPT_ERRORBUFFER, sender->reason },
		   { CURLOPT_WRITEDATA, sender },
		   { CURLOPT_XFERINFODATA, sender },
		   { CURLOPT_USERAGENT, "heapprof-gcov/" PACKAGE_VERSION },
		   { CURLOPT_CAINFO, settings->certificate },
		   { CURLOPT_SSLCERT, settings->client_certificate },
		   { CURLOPT_SSLKEY, settings->client_key } };
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (code == CURLE_OK)
      code = library->easy_setopt (curl, numbers[i].option, numbers[i].value);
  for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
    if (code == CURLE_OK && pointers[i].value != NULL)
      code = library->easy_setopt (curl, pointers[i].option, pointers[i].value);
  if (code == CURLE_OK)
    code = library->easy_setopt (curl, CURLOPT_WRITEFUNCTION, take_answer);
  if (code == CURLE_OK)
    code = library->easy_setopt (curl, CURLOPT_XFERINFOFUNCTION, check_stop);
  return code == CURLE_OK;
}

struct push_sender *
push_sender_new (const struct push_settings *settings,
		 const volatile sig_atomic_t *stops)
{
  struct push_sender *sender = calloc (1, sizeof *sender);
  struct profile_error err;
  if (sender == NULL)
    {
      diagnostics_memory ();
      return NULL;
    }
  sender->settings = settings;
  sender->stops = stops;
  if (!load (&sender->library))
    profile_error_set (&err, library_names[0], PROFILE_ERROR_NO_OFFSET,
		       "profiles are sent by libcurl, which is not installed");
  else if (sender->library.global_init (CURL_GLOBAL_DEFAULT) != CURLE_OK
	   || (sender->curl = sender->library.easy_init ()) == NULL
	   || !set_headers (sender) || !set_options (sender))
    profile_error_set (&err, library_names[0], PROFILE_ERROR_NO_OFFSET,
		       "libcurl cannot be used");
  else
    return sender;
  diagnostics_error (&err);
  push_sender_free (sender);
  return NULL;
}

void
push_sender_free (struct push_sender *sender)
{
  if (sender == NULL)
    return;
  if (sender->curl != NULL)
    sender->library.easy_cleanup (sender->curl);
  if (sender->headers != NULL)
    sender->library.slist_free_all (sender->headers);
  free (sender);
}

/* A place in an answer in protobuf's wire format.  */
struct reader
{
  const uint8_t *data;
  size_t rest;
};

static bool
read_number (struct reader *reader, uint64_t *number)
{
  *number = 0;
  for (unsigned int shift = 0; shift < 64 && reader->rest > 0; shift += 7)
    {
      uint8_t byte = *reader->data++;
      reader->rest--;
      *number |= (uint64_t) (byte & 0x7f) << shift;
      if (byte < 0x80)
	return true;
    }
  return false;
}

/* Read the next field: its number, and its value, which is a number or, with
   PART, bytes.  Return false at the end, or if there is no such field.  */
static bool
read_field (struct reader *reader, uint64_t *field, uint64_t *number,
	    struct reader *part)
{
  uint64_t key, n;
  *part = (struct reader){ 0 };
  if (!read_number (reader, &key) || !read_number (reader, &n))
    return false;
  *field = key >> 3;
  *number = n;
  if ((key & 7) == 0)
    return true;
  if ((key & 7) != 2 || n > reader->rest)
    return false;
  *part = (struct reader){ reader->data, n };
  reader->data += n;
  reader->rest -= n;
  return true;
}

/* Copy the text at PART, made plain, to TEXT.  */
static void
copy_text (const struct reader *part, char *text, size_t bytes)
{
  char *plain = plain_text_copy ((const char *) part->data, part->rest, "");
  snprintf (text, bytes, "%s", plain != NULL ? plain : "");
  free (plain);
}

/* Take ExportProfilesServiceResponse (1: partial success, with 1: number of
   rejected profiles, 2: text) from the server's answer.  */
static void
read_success (const struct push_sender *sender, struct push_answer *answer)
{
  struct reader reader
    = { (const uint8_t *) sender->answer, sender->answer_bytes };
  struct reader part, text;
  uint64_t field, number;
  while (read_field (&reader, &field, &number, &part))
    while (field == 1 && read_field (&part, &field, &number, &text))
      {
	if (field == 1)
	  answer->rejected = number;
	else if (field == 2)
	  copy_text (&text, answer->text, sizeof answer->text);
	field = 1;
      }
}

/* Describe the refusal with STATUS: OTLP's servers send Status (2: text),
   others a line.  */
static void
read_refusal (const struct push_sender *sender, long status,
	      struct push_answer *answer)
{
  struct reader reader
    = { (const uint8_t *) sender->answer, sender->answer_bytes };
  struct reader part, text = reader;
  uint64_t field, number;
  const char *type = NULL;
  char line[384];
  sender->library.easy_getinfo (sender->curl, CURLINFO_CONTENT_TYPE, &type);
  if (type != NULL && strncmp (type, "application/x-protobuf", 22) == 0)
    {
      text.rest = 0;
      while (read_field (&reader, &field, &number, &part))
	if (field == 2)
	  text = part;
    }
  const uint8_t *newline = memchr (text.data, '\n', text.rest);
  if (newline != NULL)
    text.rest = (size_t) (newline - text.data);
  if (text.rest > 256)
    text.rest = 256;
  copy_text (&text, line, sizeof line);
  snprintf (answer->text, sizeof answer->text, "status %ld%s%s", status,
	    *line != '\0' ? ": " : "", line);
}

static void
take_status (struct push_sender *sender, struct push_answer *answer)
{
  long status = 0;
  curl_off_t wait_s = 0;
  sender->library.easy_getinfo (sender->curl, CURLINFO_RESPONSE_CODE, &status);
  if (status >= 200 && status < 300)
    {
      answer->result = PUSH_SENT;
      if (sender->settings->format == PUSH_OTLP)
	read_success (sender, answer);
      return;
    }
  answer->result
    = status == 429 || status == 502 || status == 503 || status == 504
	? PUSH_AGAIN
	: PUSH_REFUSED;
  if (sender->library.easy_getinfo (sender->curl, CURLINFO_RETRY_AFTER, &wait_s)
      == CURLE_OK)
    answer->wait_s = (double) wait_s;
  read_refusal (sender, status, answer);
}

static void
perform (struct push_sender *sender, const char *url, const void *data,
	 size_t size, struct push_answer *answer)
{
  const struct library *library = &sender->library;
  sender->answer_bytes = 0;
  sender->reason[0] = '\0';
  CURLcode code = library->easy_setopt (sender->curl, CURLOPT_URL, url);
  if (code == CURLE_OK)
    code = library->easy_setopt (sender->curl, CURLOPT_POSTFIELDSIZE_LARGE,
				 (curl_off_t) size);
  if (code == CURLE_OK)
    code = library->easy_setopt (sender->curl, CURLOPT_POSTFIELDS, data);
  if (code == CURLE_OK)
    code = library->easy_perform (sender->curl);
  if (code == CURLE_OK)
    {
      take_status (sender, answer);
      return;
    }
  answer->result
    = code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL
	? PUSH_REFUSED
	: PUSH_AGAIN;
  snprintf (answer->text, sizeof answer->text, "%s",
	    sender->reason[0] != '\0' ? sender->reason : "libcurl failed");
}

void
push_send (struct push_sender *sender, const char *query, const void *data,
	   size_t size, struct push_answer *answer)
{
  const struct push_settings *settings = sender->settings;
  size_t bytes = strlen (settings->url) + strlen (query) + 2;
  char *url = malloc (bytes);
  char *packed = NULL;
  size_t packed_size = 0;
  *answer = (struct push_answer){ .result = PUSH_AGAIN };
  bool is_ready = url != NULL;
  if (is_ready)
    snprintf (url, bytes, "%s%s%s", settings->url,
	      *query == '\0'			    ? ""
	      : strchr (settings->url, '?') != NULL ? "&"
						    : "?",
	      query);
  if (is_ready && settings->compresses)
    {
      FILE *out = open_memstream (&packed, &packed_size);
      is_ready = out != NULL && gzip_write (data, size, out);
      if (out != NULL)
	is_ready = fclose (out) == 0 && is_ready;
    }
  if (!is_ready)
    snprintf (answer->text, sizeof answer->text, "memory exhausted");
  else if (packed != NULL)
    perform (sender, url, packed, packed_size, answer);
  else
    perform (sender, url, data, size, answer);
  free (packed);
  free (url);
}

#else /* !HAVE_CURL */

struct push_sender *
push_sender_new (const struct push_settings *settings,
		 const volatile sig_atomic_t *stops)
{
  struct profile_error err;
  (void) settings;
  (void) stops;
  profile_error_set (&err, "push", PROFILE_ERROR_NO_OFFSET,
		     "this program was built without libcurl");
  diagnostics_error (&err);
  return NULL;
}

void
push_sender_free (struct push_sender *sender)
{
  (void) sender;
}

void
push_send (struct push_sender *sender, const char *query, const void *data,
	   size_t size, struct push_answer *answer)
{
  (void) sender;
  (void) query;
  (void) data;
  (void) size;
  *answer = (struct push_answer){ .result = PUSH_REFUSED };
}

#endif
