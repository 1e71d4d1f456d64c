/* Heap profile data of a call.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call that the profile knows carries attributes on the function type of the
   call, where they survive inlining, cloning and LTO:

     heapprof callsite	 the id of the call's own frame
     heapprof memprof	 for an allocation call, a list of MIBs: purpose, the
			 calling context; value, its fields
     heapprof callees	 for an indirect call, GUIDs of its callees

   A calling context is a list of ids, innermost first.  Lists with equal outer
   parts share the nodes of that part.  The fields of a MIB are a list of LLVM's
   tags (purpose) and values, and are shared as well; USE_CLASS_TAG is ours.

   The functions that a call was inlined into are not recorded: they are read
   from the blocks of its location.  */

#ifndef HEAPPROF_USE_CALL_H
#define HEAPPROF_USE_CALL_H

#include "placement.h"

/* The field with the placement class of a MIB's context plus 1, in profiles
   that have classes; and a flag in it: the token of a call decides where the
   context's blocks go.  */
#define USE_CLASS_TAG 0
#define USE_CLASS_BY_TOKEN 8

/* Classes of calling contexts.  */
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
  /* Frames outside the call's own inlined chain, innermost first.  Released by
     the use_call that contains this context.  */
  vec<uint64_t> callers;
  hint_class hint;
  bool temporary; /* the blocks may also be where hot ones are */
  bool by_token;  /* a call's token tells ambiguous allocations the hint */
  uint64_t count; /* blocks allocated */
  uint64_t bytes;
};

struct use_call
{
  use_call () : pruned_contexts (0), pruned_count (0), pruned_bytes (0) {}
  use_call (const use_call &) = delete;
  ~use_call ();

  /* Frames of the call and of the calls it was inlined through so far,
     innermost first.  */
  auto_vec<uint64_t> ids;
  /* For an allocation call, the contexts that begin with IDS, in the order of
     the profile; otherwise empty.  */
  auto_vec<use_context> contexts;
  /* For an indirect call, GUIDs of the functions that it called.  */
  auto_vec<uint64_t> callees;
  /* The contexts that do not begin with IDS and belong to other copies.  */
  unsigned pruned_contexts;
  uint64_t pruned_count;
  uint64_t pruned_bytes;
};

/* Read the profile data of CALL, in the function DECL, into *RESULT, which is
   empty.  Return false if there is none.  */
bool use_call_read (const gcall *call, tree decl, use_call *result);

/* True if CALL, an allocation in the function DECL that asks for the context
   token, finds none for temporary blocks, which are to be where hot ones
   are.  */
bool use_call_hot_by_default_p (const gcall *call, tree decl);

/* True if the profile knows CALL.  Cheap.  */
bool use_call_known_p (const gcall *call);

/* Return the list of MIBs on CALL, or NULL.  */
tree use_call_mibs (const gcall *call);

/* True if the calling context of MIB begins with the frames IDS.  Then store
   the list of frames outside them in *CALLERS.  */
bool use_mib_begins_p (tree mib, const vec<uint64_t> &ids, tree *callers);

/* Return the value of the field TAG in FIELDS, the value of a MIB; 0 if
   absent.  */
uint64_t use_mib_field (tree fields, unsigned tag);

/* Return LLVM's name of the field TAG ("AllocCount"), or that of ours.  */
const char *use_mib_field_name (unsigned tag);

/* A place in a function, as in the source.  */
struct use_place
{
  tree function;
  location_t location;
};

/* Store in *PLACES where CALL, now in the function DECL, is in the source,
   followed by the calls that were inlined to bring it there, innermost
   first.  */
void use_call_places (const gcall *call, tree decl, vec<use_place> *places);

/* Store the frames of CALL in DECL in *IDS, innermost first: its own, ID, and
   those of the calls it was inlined through.  */
void use_call_chain (const gcall *call, tree decl, uint64_t id,
		     vec<uint64_t> *ids);

/* The same without CALL's own frame, which it does not have if GCC made it.  */
void use_call_callers (const gcall *call, tree decl, vec<uint64_t> *ids);

/* Store in *FUNCTIONS the function that contains CALL, now in DECL, in the
   source, and those that it was inlined into, innermost first.  */
void use_call_functions (const gcall *call, tree decl, vec<tree> *functions);

/* Give CALL the frame ID; allocation calls also MIBS and indirect calls
   CALLEES, a list of GUIDs, unless NULL.  */
void use_call_annotate (gcall *call, uint64_t id, tree mibs, tree callees);

/* Set the default minimum average lifetime of cold contexts, which is used
   unless an argument overrides it.  */
void use_set_cold_lifetime (double milliseconds);

/* Return the class for blocks of the class PLACEMENT.  */
hint_class use_hint_of_placement (placement_class placement);

/* Return the value that stands for HINT in programs: 1, 128 or 254; 0 for
   HINT_NONE.  */
int use_hint_value (hint_class hint);

/* Return "cold", "notcold", "hot" or "none".  */
const char *use_hint_name (hint_class hint);

#endif /* HEAPPROF_USE_CALL_H */
