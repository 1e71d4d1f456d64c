/* What a heap profile says of a call.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call that the profile knows carries attributes on the type of the function
   that it calls, where they survive inlining, cloning and LTO:

     heapprof callsite	 the id of the call's own frame
     heapprof memprof	 of an allocation call, a list of MIBs: purpose, the
			 calling context; value, its fields
     heapprof callees	 of an indirect call, GUIDs of what it called

   A calling context is a list of ids, innermost first.  Lists share their
   outer parts: equal rests are the same node.  The fields of a MIB are a list
   of LLVM's tags (purpose) and values, and shared as well.

   Where a call came to by inlining is not written down but read from the
   blocks of its location.  */

#ifndef HEAPPROF_USE_CALL_H
#define HEAPPROF_USE_CALL_H

/* What the blocks of a calling context are, by the thresholds in ARGUMENTS.  */
enum hint_class
{
  HINT_NONE,
  HINT_COLD,
  HINT_NOT_COLD,
  HINT_HOT
};

/* A calling context of an allocation call.  */
struct use_context
{
  /* Frames around the call's own inlined chain, innermost first.  Released
     by the use_call that it is in.  */
  vec<uint64_t> callers;
  hint_class hint;
  uint64_t count; /* blocks allocated */
  uint64_t bytes;
};

struct use_call
{
  use_call () : pruned_contexts (0), pruned_count (0), pruned_bytes (0) {}
  use_call (const use_call &) = delete;
  ~use_call ();

  /* Frames of the call and of what it was inlined into so far, innermost
     first.  */
  auto_vec<uint64_t> ids;
  /* Of an allocation call: the contexts that begin with IDS, in the order of
     the profile; else empty.  */
  auto_vec<use_context> contexts;
  /* Of an indirect call: GUIDs of functions that it called.  */
  auto_vec<uint64_t> callees;
  /* The contexts that do not begin with IDS: those of other copies.  */
  unsigned pruned_contexts;
  uint64_t pruned_count;
  uint64_t pruned_bytes;
};

/* Have at *RESULT, which is empty, what the profile says of CALL in the
   function DECL.  False if that is nothing.  */
bool use_call_read (const gcall *call, tree decl, use_call *result);

/* True if the profile knows CALL; cheap.  */
bool use_call_known_p (const gcall *call);

/* The list of MIBs on CALL, or NULL.  */
tree use_call_mibs (const gcall *call);

/* True if the calling context of MIB begins with the frames IDS; what is around
   them, as a list, is then at *CALLERS.  */
bool use_mib_begins_p (tree mib, const vec<uint64_t> &ids, tree *callers);

/* The value of the field TAG in FIELDS, the value of a MIB; 0 if absent.  */
uint64_t use_mib_field (tree fields, unsigned tag);

/* A place in a function of the source.  */
struct use_place
{
  tree function;
  location_t location;
};

/* Have at *PLACES where CALL, now in the function DECL, is in the source, and
   then the calls that were inlined to bring it there, innermost first.  */
void use_call_places (const gcall *call, tree decl, vec<use_place> *places);

/* Have the frames of CALL in DECL at *IDS, innermost first: its own, ID, and
   those of what it was inlined into.  */
void use_call_chain (const gcall *call, tree decl, uint64_t id,
		     vec<uint64_t> *ids);

/* Have at *FUNCTIONS the function that has CALL, now in DECL, in the source,
   and those that it was inlined into, innermost first.  */
void use_call_functions (const gcall *call, tree decl, vec<tree> *functions);

/* Give CALL the frame ID; on allocation calls also MIBS, if not NULL; on
   indirect ones CALLEES, a list of GUIDs, if not NULL.  */
void use_call_annotate (gcall *call, uint64_t id, tree mibs, tree callees);

/* Set the default of the shortest average lifetime of what is cold, to be used
   unless an argument gives another.  */
void use_set_cold_lifetime (double milliseconds);

/* The value that stands for HINT in programs: 1, 128 or 254; 0 for none.  */
int use_hint_value (hint_class hint);

/* "cold", "notcold" or "hot"; "none".  */
const char *use_hint_name (hint_class hint);

#endif /* HEAPPROF_USE_CALL_H */
