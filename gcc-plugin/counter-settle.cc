/* Keep counters in memory across calls that are said to change none.
   SPDX-License-Identifier: GPL-3.0-or-later

   By the time counters go in, GCC has found out which functions only read
   memory, and which memory others write.  Counting has made that false: such
   a function changes counters, and its caller must not hold the value of one
   in a register across the call.

   Therefore the GIMPLE optimizers see counters as volatile, and leave each
   update as it is.  For RTL that would be too much: an update would never
   become one instruction.  So when RTL is made, the mark is taken off again,
   and off the calls the one that says that they change no memory.  */

#include "gcc-compat.h"
#include "counter-settle.h"
#include "runtime-decls.h"

static bool
counter_p (const_rtx memory)
{
  const_tree expression = MEM_EXPR (memory);

  return expression && TREE_TYPE (expression) == counter_type ();
}

/* Make the counters in INSN ordinary memory; true if there are any.  */
static bool
settle_counters (rtx_insn *insn)
{
  subrtx_var_iterator::array_type array;
  bool found = false;

  FOR_EACH_SUBRTX_VAR (iterator, array, PATTERN (insn), NONCONST)
    if (MEM_P (*iterator) && counter_p (*iterator))
      {
	MEM_VOLATILE_P (*iterator) = 0;
	found = true;
      }
  return found;
}

/* True if what CALL calls may have been compiled with counters.  */
static bool
may_count_p (rtx_insn *call)
{
  rtx body = get_call_rtx_from (call);
  rtx callee = body ? XEXP (XEXP (body, 0), 0) : NULL_RTX;

  if (!callee || GET_CODE (callee) != SYMBOL_REF)
    return true;
  /* Without a declaration it is a function of the compiler's own library.  */
  return SYMBOL_REF_DECL (callee)
	 && !fndecl_built_in_p (SYMBOL_REF_DECL (callee));
}

static void
settle_function (void)
{
  bool any = false;

  for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
    if (NONDEBUG_INSN_P (insn))
      any |= settle_counters (insn);
  if (!any)
    return;
  for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
    if (CALL_P (insn) && RTL_CONST_OR_PURE_CALL_P (insn)
	&& may_count_p (insn))
      {
	RTL_CONST_CALL_P (insn) = 0;
	RTL_PURE_CALL_P (insn) = 0;
	RTL_LOOPING_CONST_OR_PURE_CALL_P (insn) = 0;
      }
}

static const pass_data pass_data_settle_counters = {
  RTL_PASS,
  "heapprof_settle",
  OPTGROUP_NONE,
  TV_NONE,
  0, 0, 0, 0, 0
};

class pass_settle_counters : public rtl_opt_pass
{
public:
  pass_settle_counters (gcc::context *context)
    : rtl_opt_pass (pass_data_settle_counters, context)
  {}

  unsigned int execute (function *) final override
  {
    settle_function ();
    return 0;
  }
};

void
counter_settle_register (const char *plugin_name)
{
  register_pass_info info = { new pass_settle_counters (g), "expand", 1,
			      PASS_POS_INSERT_AFTER };

  register_callback (plugin_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &info);
}
