# The machine that everything is built for.
# SPDX-License-Identifier: GPL-3.0-or-later

# HEAPPROF_CHECK_COMPILER(VARIABLE, NAME): stop unless the compiler $VARIABLE makes
# programs for the host: without HOST-NAME, the one of this machine is found.
AC_DEFUN([HEAPPROF_CHECK_COMPILER], [
  AC_MSG_CHECKING([whether $$1 makes programs for $host_name])
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#if ! ($host_macros)
# error "another machine"
#endif
]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([$$1 does not make programs for $host: install ${host_alias:-$host}-$2, or set $1])])
])

# HEAPPROF_HOST_MACHINE: set host_machine, the name of its folders; what it is called
# in ELF files and in texts; how many bits addresses have, 0 if kernels differ; and the
# conditionals for what not all machines have.
AC_DEFUN([HEAPPROF_HOST_MACHINE], [
  AC_REQUIRE([AC_CANONICAL_HOST])
  AS_CASE([$host],
    [x86_64-*-linux*],
      [host_machine=x86_64 host_elf=EM_X86_64 host_name=x86-64
      host_macros="defined __x86_64__"
      host_address_bits=47],
    [aarch64-*-linux*],
      [host_machine=aarch64 host_elf=EM_AARCH64 host_name=AArch64
      host_macros="defined __aarch64__"
      host_address_bits=0],
    [riscv64-*-linux*],
      [host_machine=riscv64 host_elf=EM_RISCV host_name="RISC-V 64"
      host_macros="defined __riscv && __riscv_xlen == 64"
      host_address_bits=0],
    [AC_MSG_ERROR([unsupported host $host (expected x86_64, aarch64 or riscv64 Linux)])])
  AC_LANG_PUSH([C])
  HEAPPROF_CHECK_COMPILER([CC], [gcc])
  AC_LANG_POP([C])
  AS_IF([test "x$GXX" = xyes],
    [AC_LANG_PUSH([C++])
    HEAPPROF_CHECK_COMPILER([CXX], [g++])
    AC_LANG_POP([C++])])
  AC_SUBST([host_machine])
  AC_DEFINE_UNQUOTED([HOST_ELF_MACHINE], [$host_elf],
    [The machine of programs that run here, a constant of elf.h.])
  AC_DEFINE_UNQUOTED([HOST_MACHINE_NAME], ["$host_name"],
    [The name of that machine in messages.])
  AC_DEFINE_UNQUOTED([HOST_ADDRESS_BITS], [$host_address_bits],
    [Bits of addresses of programs on that machine; 0 if kernels differ.])
  # It calls functions in threads of other processes, which is written for x86-64.
  AM_CONDITIONAL([HAVE_ATTACH], [test $host_machine = x86_64])
  AM_CONDITIONAL([HAVE_MIP],
    [test -f "$srcdir/gcc-plugin/mip/machine-$host_machine.cc"])
])

# HEAPPROF_SAY_LEFT_OUT: a line for each part that this machine does not have.
AC_DEFUN([HEAPPROF_SAY_LEFT_OUT], [
  AM_COND_IF([HAVE_ATTACH], [],
    [AC_MSG_NOTICE([heapprof-gcov attach is left out: it is not written for $host_name])])
  AM_COND_IF([HAVE_MIP], [],
    [AC_MSG_NOTICE([machine-level profiles are left out: they are not written for $host_name])])
])
