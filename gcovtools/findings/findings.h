/* Findings: what a command reports about lines of source, and the forms that
   code hosts and editors read.
   SPDX-License-Identifier: GPL-3.0-or-later

   SARIF 2.1.0 has everything about a finding: its rule, its place, its calling
   context, figures.  Files below the base folder have relative names, so that
   they are found in another copy of the source.  The annotations of GitHub and
   the Code Quality reports of GitLab have level, place and message.  */

#ifndef HEAPPROF_FINDINGS_H
#define HEAPPROF_FINDINGS_H

#include "heap-report.h"
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum finding_level
{
  FINDING_NOTE,
  FINDING_WARNING,
  FINDING_ERROR
};

/* A kind of finding.  */
struct finding_rule
{
  const char *id;
  const char *title;   /* one line */
  const char *meaning; /* what the profile shows */
  const char *help;    /* what to do, in general */
  enum finding_level level;
};

struct finding
{
  size_t rule; /* index in the list's rules */
  enum finding_level level;
  /* The place: strings of a profile or of remarks; empty if unknown.  */
  const char *file;
  uint32_t line;	/* 0: unknown */
  const char *function; /* linkage name */
  /* The calling context, and the report it is of; 0: none.  */
  const struct heap_report *report;
  uint32_t context;
  /* What it is about: equal in the next run, also if lines above it move.  */
  uint64_t identity;
  double rank;	      /* 0 to 100, the greater the more important */
  char *message;      /* malloced */
  json_t *properties; /* owned; NULL: none */
};

struct finding_list
{
  const char *tool;	     /* the command */
  const char *identity_name; /* with the version of how identities are made */
  const struct finding_rule *rules;
  size_t rule_count;
  const char *path;   /* of the profile: the place of findings without a file */
  const char *base;   /* folder of the source; NULL: the current one */
  json_t *properties; /* owned; what is not about one place; NULL: none */
  struct finding *list; /* malloced */
  size_t count;
  size_t capacity;
};

/* Return a new finding of LIST, all zeros; NULL if memory is exhausted.  */
struct finding *finding_list_add (struct finding_list *list);
void finding_list_release (struct finding_list *list);

/* Return the identity of what RULE says about frame ID of PROFILE.  If ID is 0,
   it is about the function with the linkage name FUNCTION.  */
uint64_t finding_identity (const char *rule, const struct heap_profile *profile,
			   uint32_t id, const char *function);

/* Return for each finding of LIST how many before it have the same identity.
   The result is malloced; NULL if memory is exhausted.  */
size_t *finding_list_repeats (const struct finding_list *list);

/* Write LIST to OUT, whose errors the caller handles.  Return false if memory
   is exhausted.  */
bool finding_write_sarif (const struct finding_list *list, FILE *out);
bool finding_write_github (const struct finding_list *list, FILE *out);
bool finding_write_gitlab (const struct finding_list *list, FILE *out);

#endif /* HEAPPROF_FINDINGS_H */
