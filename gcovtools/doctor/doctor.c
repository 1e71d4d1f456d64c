/* The list of findings of heapprof-gcov doctor.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "doctor.h"
#include "heap-json.h"
#include "terminal.h"
#include "text-output.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JSON_FORM_VERSION 1

struct finding
{
  const char *about;
  char *subject;
  enum finding_state state;
  char *text;
  char *remedy; /* NULL if there is nothing to fix */
};

struct findings
{
  struct finding *list;
  size_t count;
  size_t capacity;
  bool is_incomplete; /* memory was exhausted */
};

static const struct
{
  const char *name;
  enum terminal_colour colour;
} states[FINDING_STATES] = { [FINDING_OK] = { "ok", TERMINAL_PLAIN },
			     [FINDING_NOTE] = { "note", TERMINAL_YELLOW },
			     [FINDING_WRONG] = { "wrong", TERMINAL_RED } };

struct findings *
findings_new (void)
{
  return calloc (1, sizeof (struct findings));
}

void
findings_free (struct findings *findings)
{
  if (findings == NULL)
    return;
  for (size_t i = 0; i < findings->count; i++)
    {
      free (findings->list[i].subject);
      free (findings->list[i].text);
      free (findings->list[i].remedy);
    }
  free (findings->list);
  free (findings);
}

static bool
grow (struct findings *findings)
{
  if (findings->count < findings->capacity)
    return true;
  size_t capacity = findings->capacity > 0 ? 2 * findings->capacity : 32;
  void *grown = realloc (findings->list, capacity * sizeof *findings->list);
  if (grown == NULL)
    return false;
  findings->list = grown;
  findings->capacity = capacity;
  return true;
}

void
findings_add (struct findings *findings, const char *about, const char *subject,
	      enum finding_state state, const char *format, ...)
{
  struct finding finding = { .about = about, .state = state };
  va_list arguments;
  va_start (arguments, format);
  if (vasprintf (&finding.text, format, arguments) < 0)
    finding.text = NULL;
  va_end (arguments);
  finding.subject = strdup (subject);
  if (finding.text != NULL && finding.subject != NULL && grow (findings))
    findings->list[findings->count++] = finding;
  else
    {
      free (finding.text);
      free (finding.subject);
      findings->is_incomplete = true;
    }
}

void
findings_mend (struct findings *findings, const char *format, ...)
{
  if (findings->count == 0)
    return;
  struct finding *last = &findings->list[findings->count - 1];
  va_list arguments;
  va_start (arguments, format);
  free (last->remedy);
  if (vasprintf (&last->remedy, format, arguments) < 0)
    {
      last->remedy = NULL;
      findings->is_incomplete = true;
    }
  va_end (arguments);
}

size_t
findings_count (const struct findings *findings, enum finding_state state)
{
  size_t count = 0;
  for (size_t i = 0; i < findings->count; i++)
    count += findings->list[i].state == state;
  return count;
}

static void
print_finding (const struct finding *finding)
{
  printf ("%s%-6s%s%-12s ", terminal_colour (states[finding->state].colour),
	  states[finding->state].name, terminal_colour (TERMINAL_PLAIN),
	  finding->about);
  print_text (finding->subject);
  fputs (": ", stdout);
  print_text (finding->text);
  if (finding->remedy != NULL)
    {
      fputs ("; ", stdout);
      print_text (finding->remedy);
    }
  putchar ('\n');
}

bool
findings_print_text (const struct findings *findings)
{
  for (size_t i = 0; i < findings->count; i++)
    print_finding (&findings->list[i]);
  size_t wrong = findings_count (findings, FINDING_WRONG);
  size_t notes = findings_count (findings, FINDING_NOTE);
  printf ("%zu wrong, %zu %s, %zu ok\n", wrong, notes,
	  notes == 1 ? "note" : "notes", findings_count (findings, FINDING_OK));
  return !findings->is_incomplete;
}

static json_t *
finding_json (const struct finding *finding)
{
  json_t *object = json_object ();
  if (object != NULL && json_set_text (object, "about", finding->about)
      && json_set_text (object, "subject", finding->subject)
      && json_set_text (object, "state", states[finding->state].name)
      && json_set_text (object, "finding", finding->text)
      && (finding->remedy == NULL
	  || json_set_text (object, "remedy", finding->remedy)))
    return object;
  json_decref (object);
  return NULL;
}

bool
findings_print_json (const struct findings *findings)
{
  printf ("{\"version\":%d,\"wrong\":%zu,\"notes\":%zu,\"ok\":%zu,"
	  "\"findings\":[",
	  JSON_FORM_VERSION, findings_count (findings, FINDING_WRONG),
	  findings_count (findings, FINDING_NOTE),
	  findings_count (findings, FINDING_OK));
  for (size_t i = 0; i < findings->count; i++)
    if (!json_print (i == 0 ? "\n" : ",\n", finding_json (&findings->list[i])))
      return false;
  puts ("]}");
  return !findings->is_incomplete;
}
