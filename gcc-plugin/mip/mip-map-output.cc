/* Machine-level profiles: output of slots, the map, and data of the unit.
   SPDX-License-Identifier: GPL-3.0-or-later

   All output is assembler text next to the functions (asm-section.h).

     .pushsection __hpm_cov,"aw",@progbits  slot of function 3
     .Lhpm3: .fill 1,1,128
     .popsection
     .pushsection .debug_hpmap,"",@progbits	  its record (doc/mip-format.md)
     ...
     .popsection

   mip-calls.cc writes the counters of calls.

   For a comdat function, both are in its group.  The map is not loaded.  It
   refers to functions by absolute addresses, which every linker resolves
   without a dynamic relocation in a section of this name.  */

#include "gcc-compat.h"
#include "arguments.h"
#include "asm-section.h"
#include "machine.h"
#include "function-id.h"

static unsigned n_functions;

/* Return the ID of the unit.  It distinguishes units compiled from one source
   in different ways.  */
static uint64_t
unit_id (void)
{
  static uint64_t id;

  if (!id)
    {
      const char *file = main_input_filename ? main_input_filename : "";
      char *text = xasprintf ("%s:%lx", file, (long) get_random_seed (false));
      id = function_guid (text, strlen (text));
      free (text);
    }
  return id;
}

static void
output_slot (const mip_function *function)
{
  static const struct
  {
    const char *section;
    unsigned alignment;
  } kinds[] = { { NULL, 0 },
		{ HEAPPROF_MIP_SECTION_COVERAGE, 1 },
		{ HEAPPROF_MIP_SECTION_COUNT, 4 },
		{ HEAPPROF_MIP_SECTION_ORDER, 4 } };

  bool is_coverage = function->kind == HEAPPROF_MIP_COVERAGE;

  asm_push_section (kinds[function->kind].section, "aw",
		    is_coverage ? "progbits" : "nobits", function->decl);
  fprintf (asm_out_file,
	   "\t.balign\t%u\n.Lhpm%u:\n\t.fill\t%u,1,%u\n\t.popsection\n",
	   kinds[function->kind].alignment, function->number,
	   function->slot_bytes, is_coverage ? machine_unmarked : 0);
}

/* Return the name of the end of the main range of FUNCTION, malloced.  */
static char *
end_name (const mip_function *function)
{
  const char *name = crtl->subsections.hot_section_end_label;

  if (!function->cold_begin)
    return asm_label_name (function->end);
  return xstrdup (name + (*name == '*'));
}

/* The assembler name of a function, and its origin.  */
struct names
{
  const char *name;
  char *origin; /* name without suffixes; empty if equal; malloced */
  const char *file;
  int line;
};

static names
find_names (tree decl)
{
  names result;
  expanded_location where = expand_location (DECL_SOURCE_LOCATION (decl));
  result.name
    = targetm
	.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
  size_t bytes = strlen (result.name);
  size_t origin_bytes = function_canonical_bytes (result.name, bytes);
  result.origin
    = xstrndup (result.name, origin_bytes < bytes ? origin_bytes : 0);
  result.file = where.file ? where.file : "";
  result.line = where.line;
  return result;
}

/* Return the name of the function ORIGIN, that of its symbol if it has one,
   malloced.  Constructors and destructors that are not tied to a symbol have
   the name of the one for bases.  */
static char *
origin_name (tree origin)
{
  tree id = DECL_NAME (origin);

  if (HAS_DECL_ASSEMBLER_NAME_P (origin)
      && (DECL_ASSEMBLER_NAME_SET_P (origin) || !(in_lto_p || flag_lto)))
    id = DECL_ASSEMBLER_NAME (origin);
  const char *name = id ? IDENTIFIER_POINTER (id) : "";
  name = targetm.strip_name_encoding (name);
  char *result = xstrdup (name);
  function_base_variant (result);
  return result;
}

static unsigned
function_flags (const mip_function *function, const names &names)
{
  tree decl = function->decl;
  unsigned flags = HEAPPROF_MIP_HAS_SHAPE_HASH;

  if (!TREE_PUBLIC (decl))
    flags |= HEAPPROF_MIP_LOCAL;
  if (DECL_COMDAT_GROUP (decl) || DECL_WEAK (decl))
    flags |= HEAPPROF_MIP_COMDAT;
  if (*names.origin)
    flags |= HEAPPROF_MIP_CLONE;
  if (DECL_ARTIFICIAL (decl))
    flags |= HEAPPROF_MIP_ARTIFICIAL;
  if (mip_source_hash (decl))
    flags |= HEAPPROF_MIP_HAS_SOURCE_HASH;
  return flags;
}

/* Write the blocks of FUNCTION, then the pool of rules.  */
static void
output_blocks (const mip_function *function, const char *begin,
	       const char *cold_begin)
{
  for (const mip_block &block : function->blocks)
    {
      char *label = asm_label_name (block.label);
      fprintf (asm_out_file, "\t.long\t%s-%s", label,
	       block.is_cold ? cold_begin : begin);
      if (block.is_cold)
	fprintf (asm_out_file, "+%#x", HEAPPROF_MIP_COLD_BLOCK);
      fprintf (asm_out_file, ",%d,%d,%d\n", block.line, block.slot, block.rule);
      free (label);
    }
  for (uint32_t word : function->rules)
    fprintf (asm_out_file, "\t.long\t%u\n", word);
}

/* Functions of which there are inlined copies.  */
struct origins
{
  auto_vec<tree> list;
  hash_map<tree, unsigned> numbers;
};

static void
find_origins (const mip_function *function, origins *origins)
{
  for (const mip_copy &copy : function->copies)
    {
      bool is_there;
      unsigned &number
	= origins->numbers.get_or_insert (copy.origin, &is_there);
      if (is_there)
	continue;
      number = origins->list.length ();
      origins->list.safe_push (copy.origin);
    }
}

/* Write the copies in FUNCTION, which is in FILE.  */
static void
output_copies (const mip_function *function, origins *origins, const char *file)
{
  auto_vec<char *> texts;

  for (tree origin : origins->list)
    {
      expanded_location where = expand_location (DECL_SOURCE_LOCATION (origin));
      const char *text
	= where.file && strcmp (where.file, file) ? where.file : "";
      char *name = origin_name (origin);
      fprintf (asm_out_file, "\t.long\t%d,%d,%u,%u\n", where.line,
	       TREE_PUBLIC (origin) ? 0 : HEAPPROF_MIP_COPY_LOCAL,
	       (unsigned) strlen (name), (unsigned) strlen (text));
      texts.safe_push (name);
      texts.safe_push (xstrdup (text));
    }
  for (const mip_copy &copy : function->copies)
    fprintf (asm_out_file, "\t.long\t%u,%d,%d,%d\n",
	     *origins->numbers.get (copy.origin), copy.parent, copy.rule,
	     copy.is_always ? HEAPPROF_MIP_COPY_ALWAYS : 0);
  for (char *text : texts)
    {
      asm_text (text);
      free (text);
    }
}

/* Write the fixed part of the record of FUNCTION, whose entry is BEGIN.  */
static void
output_head (const mip_function *function, const names &names, unsigned origins,
	     const char *begin, const char *cold_begin)
{
  unsigned n = function->number;
  char *end = end_name (function);
  char *cold_end = asm_label_name (function->end);

  fprintf (asm_out_file,
	   "\t.balign\t8\n.Lhpmr%u:\n\t.long\t.Lhpme%u-.Lhpmr%u\n"
	   "\t.2byte\t%u,%u\n\t.quad\t%#" PRIx64 ",%s,.Lhpm%u\n",
	   n, n, n, HEAPPROF_MIP_VERSION, HEAPPROF_MIP_RECORD_FUNCTION,
	   unit_id (), begin, n);
  fprintf (asm_out_file, "\t.long\t%s-%s\n", end, begin);
  fprintf (asm_out_file,
	   "\t.2byte\t%u,%u\n\t.quad\t%#" PRIx64 ",%#" PRIx64
	   "\n\t.long\t%u,%u,0,%u,%u,%d,%u,%u,%u\n",
	   function->kind, function_flags (function, names),
	   mip_source_hash (function->decl), function->shape_hash, origins,
	   function->copies.length (), function->blocks.length (),
	   function->rules.length (), names.line,
	   (unsigned) strlen (names.name), (unsigned) strlen (names.origin),
	   (unsigned) strlen (names.file));
  if (cold_begin)
    fprintf (asm_out_file, "\t.long\t%s-%s\n\t.quad\t%s\n", cold_end,
	     cold_begin, cold_begin);
  else
    fprintf (asm_out_file, "\t.long\t0\n\t.quad\t0\n");
  free (cold_end);
  free (end);
}

static void
output_record (const mip_function *function)
{
  char *begin = xasprintf (".Lhpmf%u", function->number);
  char *cold_begin
    = function->cold_begin ? asm_label_name (function->cold_begin) : NULL;
  names names = find_names (function->decl);
  origins origins;

  /* The function's own symbol may be resolved to another object's
     definition.  */
  fprintf (asm_out_file, "\t.set\t%s,", begin);
  assemble_name (asm_out_file, XSTR (XEXP (DECL_RTL (function->decl), 0), 0));
  putc ('\n', asm_out_file);
  asm_push_section (HEAPPROF_MIP_SECTION_MAP, "", "progbits", function->decl);
  find_origins (function, &origins);
  output_head (function, names, origins.list.length (), begin, cold_begin);
  output_blocks (function, begin, cold_begin);
  asm_text (names.name);
  asm_text (names.origin);
  asm_text (names.file);
  if (!function->copies.is_empty ())
    {
      fputs ("\t.balign\t4\n", asm_out_file);
      output_copies (function, &origins, names.file);
    }
  fprintf (asm_out_file, "\t.balign\t8\n.Lhpme%u:\n", function->number);
  asm_pop_section ();
  free (names.origin);
  free (cold_begin);
  free (begin);
}

void
mip_map_output_function (const mip_function *function)
{
  n_functions++;
  if (function->kind != HEAPPROF_MIP_CALLS)
    output_slot (function);
  output_record (function);
  if (arguments.mip.edges)
    mip_calls_output (function);
}

static void
output_unit_record (uint64_t link_unit)
{
  char *producer
    = xasprintf ("GCC %s heapprof %s", gcc_version.basever, HEAPPROF_VERSION);
  const char *source = main_input_filename ? main_input_filename : "";
  const char *directory = get_src_pwd ();

  asm_push_section (HEAPPROF_MIP_SECTION_MAP, "", "progbits", NULL_TREE);
  fprintf (asm_out_file,
	   "\t.balign\t8\n.Lhpmu:\n\t.long\t.Lhpmv-.Lhpmu\n\t.2byte\t%u,%u\n"
	   "\t.quad\t%#" PRIx64 "\n\t.2byte\t%d,%u\n\t.long\t%u,%u,%u,%u,0\n"
	   "\t.quad\t%#" PRIx64 "\n",
	   HEAPPROF_MIP_VERSION, HEAPPROF_MIP_RECORD_UNIT, unit_id (),
	   POINTER_SIZE_UNITS, 1u << mip_slot_kind (), in_lto_p,
	   (unsigned) strlen (producer), (unsigned) strlen (source),
	   (unsigned) strlen (directory), link_unit);
  asm_text (producer);
  asm_text (source);
  asm_text (directory);
  fprintf (asm_out_file, "\t.balign\t8\n.Lhpmv:\n");
  asm_pop_section ();
  free (producer);
}

/* A table of constructors refers to the start function of the run-time library,
   which starts the library and also makes the linker extract it from its
   archive.  */
static void
output_start (void)
{
  asm_initialiser (HEAPPROF_MIP_SYMBOL_START, true);
}

static void
output_link_unit (uint64_t link_unit)
{
  fprintf (asm_out_file,
	   "\t.pushsection\t.rodata." HEAPPROF_MIP_SYMBOL_LINK_UNIT
	   ",\"aG\",@progbits," HEAPPROF_MIP_SYMBOL_LINK_UNIT ",comdat\n"
	   "\t.balign\t8\n\t.weak\t" HEAPPROF_MIP_SYMBOL_LINK_UNIT "\n"
	   "\t.hidden\t" HEAPPROF_MIP_SYMBOL_LINK_UNIT "\n"
	   "\t.type\t" HEAPPROF_MIP_SYMBOL_LINK_UNIT ", @object\n"
	   "\t.size\t" HEAPPROF_MIP_SYMBOL_LINK_UNIT
	   ", 8\n" HEAPPROF_MIP_SYMBOL_LINK_UNIT ":\n\t.quad\t%#" PRIx64
	   "\n\t.popsection\n",
	   link_unit);
}

/* Make the linker also extract the code that defines SYMBOL.  The relocation is
   at an address inside the unit's record, because gold rejects one after the
   last byte.  */
static void
output_reference (const char *symbol)
{
  asm_push_section (HEAPPROF_MIP_SECTION_MAP, "", "progbits", NULL_TREE);
  fprintf (asm_out_file, "\t.hidden\t%s\n\t.reloc\t. - 8, BFD_RELOC_NONE, %s\n",
	   symbol, symbol);
  asm_pop_section ();
}

void
mip_map_output_unit (void)
{
  const char *name = arguments.mip.link_unit;
  uint64_t link_unit = name ? function_guid (name, strlen (name)) : 0;

  if (n_functions == 0)
    return;
  mip_entries_output ();
  output_unit_record (link_unit);
  output_start ();
  if (arguments.mip.blocks)
    output_reference (HEAPPROF_MIP_SYMBOL_BLOCKS);
  if (arguments.mip.edges)
    output_reference (HEAPPROF_MIP_SYMBOL_EDGES);
  if (name)
    output_link_unit (link_unit);
}
