/* Calls that may throw, from C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   C has no catch (...), so the one function that needs it is in assembler.  Its
   personality routine, which the unwinder calls for each frame, directs every
   exception to the landing pad.  The C++ library is reached through weak
   references: without it nothing throws.  */

#include "catch.h"
#include "catch-code.h"
#include <stdint.h>

/* Constants of the Itanium C++ ABI.  Its header has the same name as one of
   ours.  */
enum
{
  SEARCH_PHASE = 1,
  FORCED_UNWIND = 8
}; /* actions */
enum
{
  HANDLER_FOUND = 6,
  INSTALL_CONTEXT = 7,
  CONTINUE_UNWIND = 8
};

extern void set_register (void *context, int number,
			  uintptr_t value) __asm__("_Unwind_SetGR")
  __attribute__ ((weak));
extern void set_pc (void *context, uintptr_t value) __asm__("_Unwind_SetIP")
  __attribute__ ((weak));
extern void *begin_catch (void *exception) __asm__("__cxa_begin_catch")
  __attribute__ ((weak));
extern void end_catch (void) __asm__("__cxa_end_catch") __attribute__ ((weak));

/* The landing pad.  */
extern const char rt_caught[] __attribute__ ((visibility ("hidden")));

#define HIDDEN __attribute__ ((visibility ("hidden"), used))

HIDDEN int rt_catch_all (int version, int actions, uint64_t kind,
			 void *exception, void *context);
HIDDEN void rt_destroy_exception (void *exception);

int
rt_catch_all (int version, int actions, uint64_t kind, void *exception,
	      void *context)
{
  (void) version;
  (void) kind;
  /* Do not catch the end of a thread.  */
  if ((actions & FORCED_UNWIND) != 0)
    return CONTINUE_UNWIND;
  if ((actions & SEARCH_PHASE) != 0)
    return HANDLER_FOUND;
  set_register (context, MACHINE_EXCEPTION_REGISTER, (uintptr_t) exception);
  set_pc (context, (uintptr_t) rt_caught);
  return INSTALL_CONTEXT;
}

void
rt_destroy_exception (void *exception)
{
  if (begin_catch == NULL || end_catch == NULL)
    return;
  begin_catch (exception);
  end_catch ();
}

/* rt_call_catching calls its first argument with the others.  From rt_caught
   on, where an exception is the result, it destroys that and returns NULL.
   0x1b: the personality routine's address is relative and has 4 bytes.  */
__asm__(".text\n"
	".globl rt_call_catching, rt_caught\n"
	".hidden rt_call_catching, rt_caught\n"
	".type rt_call_catching, %function\n"
	"rt_call_catching:\n"
	"	.cfi_startproc\n"
	"	.cfi_personality 0x1b, rt_catch_all\n" MACHINE_CALL_CATCHING
	"	.cfi_endproc\n"
	".size rt_call_catching, . - rt_call_catching\n");
