# The run-time libraries for another machine than this one.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# plugin.mk includes this for compilers for other machines, which build the libraries
# next to their plugin.  Each LIBRARY, one of heapprof, hint, absent and mip, has
# LIBRARY_sources, LIBRARY_cflags and LIBRARY_cppflags from the Makefile.inc of its
# folder.

plugin_tool = $(shell $(PLUGIN_GCC) -print-prog-name=$(1))
plugin_ar := $(call plugin_tool,ar)
private_names := NM='$(call plugin_tool,nm)' \
  OBJCOPY='$(call plugin_tool,objcopy)' LD='$(call plugin_tool,ld)' \
  AR='$(plugin_ar)' $(top_srcdir)/freestanding/private-names

include $(top_srcdir)/freestanding/machine-flags.mk

# Machines without probes have an empty library for them.
ifneq ($(filter %/machine-none.cc,$(probes)),)
override mip_sources =
endif

# $(call objects_of,LIBRARY,SUFFIX)
objects_of = $(patsubst %.c,$(object_dir)/$(1)/%.$(2),$(filter %.c,$($(1)_sources)))

# $(call compile,LIBRARY): compile a source of it, with the machine's headers.
compile = @mkdir -p $(@D); \
  $(if $(filter 1,$(V)),set -x,echo "  CC      " $@); \
  $(PLUGIN_GCC) \
    $(subst /machine/$(host_machine),/machine/$(plugin_cpu),$($(1)_cppflags)) \
    $(filter-out $(machine_cflags_$(host_machine)) \
      $(machine_$(1)_cflags_$(host_machine)),$($(1)_cflags)) \
    $(machine_cflags_$(plugin_cpu)) $(machine_$(1)_cflags_$(plugin_cpu)) -MD -MP

# Objects for programs, and for shared libraries.
define rules
$$(object_dir)/$(1)/%.o: $$(top_srcdir)/%.c
	$$(call compile,$(1)) -MF $$@.d -c -o $$@ $$<
$$(object_dir)/$(1)/%.lo: $$(top_srcdir)/%.c
	$$(call compile,$(1)) -fPIC -DPIC -MF $$@.d -c -o $$@ $$<
-include $$(patsubst %,%.d,$$(call objects_of,$(1),o) $$(call objects_of,$(1),lo))
endef
$(foreach library,heapprof hint absent mip,$(eval $(call rules,$(library))))

# $(call archive,OPTION)
archive = @rm -f $@; \
  $(if $(filter 1,$(V)),set -x,echo "  AR      " $@); \
  $(private_names) $(1) $@ $(plugin_ar) rcs $@ $(filter %.o,$^)

$(object_dir)/libheapprof.a: $(call objects_of,heapprof,o)
	$(call archive,--join)
$(object_dir)/libheaphint.a: $(call objects_of,hint,o)
	$(call archive)
$(object_dir)/libheapprof-absent.a: $(call objects_of,absent,o)
	$(call archive)
$(object_dir)/libheapprof-mip.a: $(call objects_of,mip,o)
	$(call archive)

# $(call link,MAP)
link = $(call quiet,LINK    )$(PLUGIN_GCC) -shared -fPIC -O2 -o $@ \
  -Wl,-soname,$(notdir $@) -Wl,--version-script=$(1) -Wl,-z,defs -Wl,-z,nodelete \
  $(filter %.lo,$^)

heapprof_map = $(top_srcdir)/libheapprof/heapprof.map
hint_map = $(top_srcdir)/libheaphint/heaphint.map
$(object_dir)/libheapprof.so.1: $(call objects_of,heapprof,lo) $(heapprof_map)
	$(call link,$(heapprof_map))
$(object_dir)/libheaphint.so.1: $(call objects_of,hint,lo) $(hint_map)
	$(call link,$(hint_map))
$(object_dir)/%.so: $(object_dir)/%.so.1
	ln -sf $(notdir $<) $@
