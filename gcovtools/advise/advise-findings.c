/* Advice as findings, for code hosts and editors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advise.h"
#include "heap-json.h"
#include <stdio.h>
#include <stdlib.h>

static bool
set (json_t *object, const char *key, json_t *value)
{
  return json_object_set_new (object, key, value) == 0;
}

/* Return the figures of ITEM.  */
static json_t *
make_properties (const struct advice *item)
{
  json_t *properties = json_object ();
  if (set (properties, "unit", json_string (advice_unit_name (item->gain.unit)))
      && set (properties, "amount", json_real (item->gain.amount))
      && set (properties, "sharePercent", json_real (item->gain.share_percent))
      && json_set_number (properties, "contexts", item->contexts)
      && json_set_number (properties, "blocks", item->info.alloc_count)
      && json_set_number (properties, "bytes", item->info.size_bytes.total))
    return properties;
  json_decref (properties);
  return NULL;
}

/* Return what is not about one place.  */
static json_t *
make_list_properties (const struct advice_list *advice)
{
  const struct advice_sentences *const lists[]
    = { &advice->limits, &advice->missing };
  static const char *const keys[] = { "limits", "missing" };
  json_t *properties = json_object ();
  for (int which = 0; which < 2; which++)
    {
      json_t *list = json_array ();
      bool is_done = true;
      for (size_t i = 0; i < lists[which]->count; i++)
	is_done
	  &= json_array_append_new (list,
				    json_plain_text (lists[which]->list[i]))
	     == 0;
      if (!set (properties, keys[which], list) || !is_done)
	{
	  json_decref (properties);
	  return NULL;
	}
    }
  return properties;
}

static const struct finding_rule *
make_rules (void)
{
  static struct finding_rule rules[ADVICE_KINDS];
  for (int kind = 0; kind < ADVICE_KINDS; kind++)
    {
      const struct advice_kind_facts *facts = advice_kind_facts (kind);
      rules[kind]
	= (struct finding_rule){ .id = facts->name,
				 .title = facts->title,
				 .meaning = facts->meaning,
				 .help = facts->help,
				 .level = facts->is_warning ? FINDING_WARNING
							    : FINDING_NOTE };
    }
  return rules;
}

static bool
add_finding (struct finding_list *list, const struct advice_list *advice,
	     const struct advice *item)
{
  const struct advice_kind_facts *facts = advice_kind_facts (item->kind);
  struct finding *finding = finding_list_add (list);
  if (finding == NULL)
    return false;
  finding->rule = item->kind;
  finding->level = facts->is_warning ? FINDING_WARNING : FINDING_NOTE;
  finding->file = item->file;
  finding->line = item->line;
  finding->function = item->function;
  finding->report = advice->report;
  finding->context = item->context;
  finding->identity = finding_identity (facts->name, advice->report->profile,
					item->frame, item->function);
  finding->rank = item->gain.share_percent;
  finding->properties = make_properties (item);
  /* Gain, figures, action.  */
  if (asprintf (&finding->message, "%s: up to %.1f%% of the %s. %s %s",
		facts->title, item->gain.share_percent,
		advice_unit_words (item->gain.unit), item->evidence,
		item->action)
      < 0)
    finding->message = NULL;
  return finding->message != NULL && finding->properties != NULL;
}

bool
advise_find (struct finding_list *list, const struct advice_list *advice,
	     const struct advise_print *print)
{
  size_t shown = advise_shown (advice, print);
  *list = (struct finding_list){ .tool = "heapprof-gcov advise",
				 .identity_name = "heapprofAdvice/v1",
				 .rules = make_rules (),
				 .rule_count = ADVICE_KINDS,
				 .path = print->path,
				 .base = print->base,
				 .properties = make_list_properties (advice) };
  bool is_done = list->properties != NULL;
  for (size_t i = 0; i < shown && is_done; i++)
    is_done = add_finding (list, advice, &advice->list[i]);
  return is_done;
}
