/* Source lines that ran, according to a machine-level profile with blocks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "mip-lines.h"
#include "diagnostics.h"
#include "heapprof/mip-format.h"
#include "mip-commands.h"
#include <stdlib.h>
#include <string.h>

/* State of the search.  */
struct search
{
  struct mip_lines *lines;
  const struct mip_profile *profile;
  const struct line_table *table; /* of the module */
};

void
mip_lines_release (struct mip_lines *lines)
{
  for (size_t i = 0; i < lines->table_count; i++)
    line_table_release (&lines->tables[i]);
  free (lines->tables);
  free (lines->uses);
  free (lines->lines);
  memset (lines, 0, sizeof *lines);
}

bool
mip_block_is_known (const struct mip_block *block)
{
  return block->slot != UINT32_MAX || block->rule != UINT32_MAX;
}

static bool
add_use (struct mip_lines *lines, const struct mip_line_use *use)
{
  if (use->line == 0 || use->path[0] == '\0')
    return true;
  if (lines->use_count == lines->use_capacity)
    {
      size_t capacity = lines->use_capacity > 0 ? 2 * lines->use_capacity : 256;
      void *grown = realloc (lines->uses, capacity * sizeof *lines->uses);
      if (grown == NULL)
	return false;
      lines->uses = grown;
      lines->use_capacity = capacity;
    }
  lines->uses[lines->use_count++] = *use;
  return true;
}

/* Return true if PATH ends with NAME, which may be relative to any folder.  */
static bool
ends_with (const char *path, const char *name)
{
  size_t bytes = strlen (path);
  size_t name_bytes = strlen (name);
  return bytes >= name_bytes && strcmp (path + bytes - name_bytes, name) == 0;
}

/* Add the line on which FUNCTION is declared.  Its path is that of the
   function's first row, which may be on the line of the brace.  This is all
   that is known without blocks.  */
static bool
add_declaration (const struct search *search,
		 const struct mip_function *function)
{
  const struct line_table *table = search->table;
  size_t row = line_table_find (table, function->entry);
  const struct mip_block *entry
    = function->block_count > 0
	? &search->profile->blocks[function->first_block]
	: NULL;
  struct mip_line_use use
    = { .path = mip_profile_string (search->profile, function->file),
	.line = function->line,
	.function = (uint32_t) (function - search->profile->functions),
	.block = MIP_NO_BLOCK,
	.is_known = entry == NULL || mip_block_is_known (entry),
	.runs = function->runs };
  if (row < table->count && table->rows[row].address == function->entry
      && !table->rows[row].is_end)
    {
      const char *path = table->files[table->rows[row].file];
      if (!ends_with (path, use.path))
	return true;
      use.path = path;
    }
  else if (table->count > 0)
    return true;
  return add_use (search->lines, &use);
}

/* Return true if row NUMBER, at the start of a block, belongs to the code
   before: it has no code of its own and the line of the previous row.  */
static bool
is_tail (const struct line_table *table, size_t number)
{
  const struct line_row *row = &table->rows[number];
  return number > 0 && row[-1].line == row->line && number + 1 < table->count
	 && row[1].address == row->address;
}

/* Add the lines of the code from START to END, to which USE applies; the
   previous block ran in BEFORE runs.  Rows marked as statements are more
   reliable than others, since the compiler moves instructions.  */
static bool
add_rows (const struct search *search, struct mip_line_use use, uint64_t start,
	  uint64_t end, uint64_t before)
{
  const struct line_table *table = search->table;
  size_t row = line_table_find (table, start);
  bool is_inside = row < table->count && table->rows[row].address == start;
  /* No row starts at the block if it continues the line before, or if it starts
     with a probe.  */
  if (!is_inside && row > 0 && table->rows[row - 1].line == use.line)
    row--;
  bool is_first = true;
  for (; row < table->count && table->rows[row].address < end; row++)
    {
      const struct line_row *each = &table->rows[row];
      if (each->is_end)
	continue;
      bool is_old
	= each->address == start && before < use.runs && is_tail (table, row);
      use.path = table->files[each->file];
      use.line = each->line;
      use.begins = is_first && !is_old;
      use.is_weak = is_old || !each->is_statement;
      if (!add_use (search->lines, &use))
	return false;
      is_first &= is_old;
    }
  return true;
}

/* Add block NUMBER of FUNCTION; the next block of the same code range starts at
   offset NEXT.  */
static bool
add_block (const struct search *search, const struct mip_function *function,
	   uint32_t number, uint32_t next)
{
  const struct mip_block *block
    = &search->profile->blocks[function->first_block + number];
  bool is_cold = (block->code_offset & HEAPPROF_MIP_COLD_BLOCK) != 0;
  uint64_t begin = is_cold ? function->cold : function->entry;
  uint32_t offset = block->code_offset & ~HEAPPROF_MIP_COLD_BLOCK;
  struct mip_line_use use
    = { .path = mip_profile_string (search->profile, function->file),
	.line = block->line,
	.function = (uint32_t) (function - search->profile->functions),
	.block = number,
	.begins = true,
	.is_known = mip_block_is_known (block),
	.runs = block->runs };
  if (search->table->count == 0)
    return add_use (search->lines, &use);
  /* The prologue is before the label of the entry block.  */
  return add_rows (search, use, begin + (number > 0 ? offset : 0), begin + next,
		   number > 0 ? block[-1].runs : use.runs);
}

/* Blocks are sorted by address; those of the second range come last.  */
static bool
add_blocks (const struct search *search, const struct mip_function *function)
{
  const struct mip_block *blocks
    = &search->profile->blocks[function->first_block];
  for (uint32_t i = 0; i < function->block_count; i++)
    {
      uint32_t part = blocks[i].code_offset & HEAPPROF_MIP_COLD_BLOCK;
      uint32_t next = part != 0 ? function->cold_bytes : function->code_bytes;
      if (i + 1 < function->block_count
	  && (blocks[i + 1].code_offset & HEAPPROF_MIP_COLD_BLOCK) == part)
	next = blocks[i + 1].code_offset & ~HEAPPROF_MIP_COLD_BLOCK;
      if (!add_block (search, function, i, next))
	return false;
    }
  return true;
}

/* Read the line table of MODULE.  */
static bool
read_table (struct line_table *table, const struct mip_profile *profile,
	    const struct mip_module *module, struct object_finder *finder)
{
  struct profile_error err;
  const char *path = mip_profile_string (profile, module->path);
  struct object_file *file
    = object_finder_find (finder, path, module->build_id,
			  module->build_id_bytes, NULL, &err);
  if (file == NULL)
    {
      diagnostics_note ("%s: %s: only the first line of each block is known",
			path, err.cause);
      return true;
    }
  bool is_done = line_table_read (table, file);
  if (is_done && table->count == 0)
    diagnostics_note ("%s: no line table: only the first line of each block is "
		      "known",
		      path);
  object_file_close (file);
  return is_done;
}

static bool
add_module (struct search *search, const struct mip_module *module,
	    const struct pattern_list *patterns)
{
  const struct mip_profile *profile = search->profile;
  for (uint32_t i = 0; i < module->function_count; i++)
    {
      const struct mip_function *function
	= &profile->functions[module->first_function + i];
      if (mip_function_matches (profile, function, patterns)
	  && !(add_declaration (search, function)
	       && add_blocks (search, function)))
	return false;
    }
  return true;
}

static int
compare_uses (const void *a, const void *b)
{
  const struct mip_line_use *one = a;
  const struct mip_line_use *other = b;
  int order = one->path == other->path ? 0 : strcmp (one->path, other->path);
  if (order != 0)
    return order;
  if (one->line != other->line)
    return one->line < other->line ? -1 : 1;
  if (one->function != other->function)
    return one->function < other->function ? -1 : 1;
  return one->block < other->block ? -1 : one->block > other->block;
}

/* Combine the uses of LINE.  Weak uses count only if there are no others.  */
static void
sum_up (struct mip_line *line, const struct mip_line_use *uses)
{
  bool is_weak = true;
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < line->use_count; i++)
    is_weak &= uses[i].is_weak;
  for (size_t i = 0; i < line->use_count; i++)
    if (uses[i].is_known && uses[i].is_weak == is_weak)
      {
	line->is_known = true;
	if (uses[i].runs > line->runs)
	  line->runs = uses[i].runs;
	if (uses[i].runs < least)
	  least = uses[i].runs;
      }
  line->is_partial = line->runs > 0 && least == 0;
}

/* Make the lines from the uses.  */
static bool
fold (struct mip_lines *lines)
{
  size_t end;
  lines->lines = calloc (lines->use_count + 1, sizeof *lines->lines);
  if (lines->lines == NULL)
    return false;
  if (lines->use_count > 0)
    qsort (lines->uses, lines->use_count, sizeof *lines->uses, compare_uses);
  for (size_t i = 0; i < lines->use_count; i = end)
    {
      const struct mip_line_use *first = &lines->uses[i];
      for (end = i + 1; end < lines->use_count; end++)
	if (lines->uses[end].line != first->line
	    || strcmp (lines->uses[end].path, first->path) != 0)
	  break;
      struct mip_line *line = &lines->lines[lines->count++];
      *line = (struct mip_line){ .path = first->path,
				 .line = first->line,
				 .first_use = i,
				 .use_count = end - i };
      sum_up (line, first);
    }
  return true;
}

bool
mip_lines_make (struct mip_lines *lines, const struct mip_profile *profile,
		struct object_finder *finder,
		const struct pattern_list *patterns)
{
  lines->tables = calloc (profile->module_count + 1, sizeof *lines->tables);
  if (lines->tables == NULL)
    return false;
  lines->table_count = profile->module_count;
  for (size_t i = 0; i < profile->module_count; i++)
    {
      struct search search = { lines, profile, &lines->tables[i] };
      if (!read_table (&lines->tables[i], profile, &profile->modules[i], finder)
	  || !add_module (&search, &profile->modules[i], patterns))
	return false;
    }
  return fold (lines);
}
