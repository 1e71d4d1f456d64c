# Build, install or remove heapprof.so for one compiler.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makefile.inc calls this once for each compiler, with
#   PLUGIN_GCC      the command of the C compiler, for example gcc-12
#   PLUGIN_PREFIX   if not empty, install below PLUGIN_PREFIX/MAJOR/plugin instead
#                   of where the compiler looks for plugins
#   plugin_sources  the sources, relative to top_srcdir
#   plugin_profdata libprofdata.a, already built
#   plugin_libs     other libraries to link with
#   plugin_user_cxxflags, plugin_user_ldflags
#                   flags of the user who builds; sanitizer flags are removed,
#                   because a compiler loads the plugin
#   check_circles   the command that checks for dependency circles of objects
#   LIBRARY_sources, LIBRARY_cflags, LIBRARY_cppflags
#                   of the run-time libraries, relative as above: see runtime.mk
#   host_machine    the machine that LIBRARY_cppflags and LIBRARY_cflags are for
#   plugin_folder_edit
#                   a script of sed, from where the compiler looks for plugins to
#                   where they are installed
# and top_srcdir, top_builddir, DESTDIR, CXX, WARN_CFLAGS, VERSION, V.

plugin_major := $(shell $(PLUGIN_GCC) -dumpversion | sed 's/\..*//')
compiler_plugin_dir := $(shell $(PLUGIN_GCC) -print-file-name=plugin)
installed_plugin_dir := $(shell echo '$(compiler_plugin_dir)' \
  | sed '$(plugin_folder_edit)')

plugin_machine := $(shell $(PLUGIN_GCC) -dumpmachine)
plugin_cpu := $(firstword $(subst -, ,$(plugin_machine)))

# A plugin for another machine is built next to those for this one, with run-time
# libraries built by the same compiler.
ifneq ($(filter-out $(host_machine) i%86,$(plugin_cpu)),)
plugin_folder = $(plugin_machine)-$(plugin_major)
runtime_libraries = $(addprefix $(object_dir)/, \
  libheapprof.a libheapprof.so.1 libheapprof.so libheapprof-absent.a \
  libheaphint.a libheaphint.so.1 libheaphint.so libheapprof-mip.a)
plugin_gxx = g++-$(plugin_major)
else
plugin_cpu := $(host_machine)
plugin_folder = $(plugin_major)
# The g++ for this gcc: replace the last "gcc" in the command, to keep the path and
# the version suffix.
runtime_libraries =
plugin_gxx := $(shell echo '$(PLUGIN_GCC)' | sed 's/\(.*\)gcc/\1g++/')
endif
PLUGIN_CXX := $(if $(shell command -v $(plugin_gxx)),$(plugin_gxx),$(CXX))

object_dir = $(top_builddir)/gcc-plugin/$(plugin_folder)
plugin = $(object_dir)/heapprof.so
# Machines without probes share a file.
probes := $(firstword $(filter %/machine-$(plugin_cpu).cc,$(plugin_sources)) \
  gcc-plugin/mip/machine-none.cc)
other_machines = $(filter-out $(probes), \
  $(filter gcc-plugin/mip/machine-%,$(plugin_sources)))
objects = $(patsubst gcc-plugin/%.cc,$(object_dir)/%.o, \
  $(filter-out $(other_machines),$(plugin_sources)))
ifeq ($(PLUGIN_PREFIX),)
install_dir = $(DESTDIR)$(installed_plugin_dir)
else
install_dir = $(DESTDIR)$(PLUGIN_PREFIX)/$(plugin_folder)/plugin
endif

# The folders that contain sources.
plugin_folders = $(sort $(dir $(filter-out gcc-plugin/plugin.cc,$(plugin_sources))))

# The compiler and libprofdata both have a profile.h; the compiler's comes first.
PLUGIN_CPPFLAGS = -I$(top_srcdir)/include \
  $(patsubst %/,-I$(top_srcdir)/%,$(plugin_folders)) \
  -isystem $(compiler_plugin_dir)/include \
  $(addprefix -idirafter ,$(wildcard $(top_srcdir)/libprofdata/*/)) \
  -DHEAPPROF_VERSION='"$(VERSION)"'
PLUGIN_CXXFLAGS = -std=gnu++17 -fno-rtti -fno-exceptions -fPIC \
  -fvisibility=hidden -fno-threadsafe-statics -O2 -g $(WARN_CFLAGS) \
  $(filter-out -fsanitize=%,$(plugin_user_cxxflags))
PLUGIN_LDFLAGS = $(filter-out -fsanitize=%,$(plugin_user_ldflags))

quiet = $(if $(filter 1,$(V)),,@echo "  $(1)" $@;)

all: $(plugin) $(runtime_libraries)

# Hide the symbols of static libraries: the compiler exports its own copy of
# libiberty.  The shared C++ library, which compilers do not contain, would be loaded
# for each unit; nothing needs it (base/operators.cc).
$(plugin): $(objects) $(plugin_profdata)
	$(call quiet,PLUGIN  )$(PLUGIN_CXX) -shared -static-libgcc \
	  $(PLUGIN_LDFLAGS) -o $@ $(objects) $(plugin_profdata) \
	  -Wl,--exclude-libs,ALL -Wl,--as-needed $(plugin_libs)

# GCC's headers take two thirds of the time of each source file, so they are compiled
# once, here; the compiler finds them because of the first -I.  The code is the same.
# PLUGIN_HEADERS= on the command line does without.
PLUGIN_HEADERS = $(object_dir)/gcc-compat.h.gch

$(PLUGIN_HEADERS): $(top_srcdir)/gcc-plugin/base/gcc-compat.h
	@mkdir -p $(@D)
	$(call quiet,GCH     )$(PLUGIN_CXX) $(PLUGIN_CPPFLAGS) $(PLUGIN_CXXFLAGS) \
	  -MD -MP -MF $@.d -MT $@ -x c++-header -o $@ $<

$(object_dir)/%.o: $(top_srcdir)/gcc-plugin/%.cc $(PLUGIN_HEADERS)
	@mkdir -p $(@D)
	$(call quiet,CXX     )$(PLUGIN_CXX) $(addprefix -I,$(dir $(PLUGIN_HEADERS))) \
	  $(PLUGIN_CPPFLAGS) $(PLUGIN_CXXFLAGS) -MD -MP -c -o $@ $<

-include $(objects:.o=.d) $(addsuffix .d,$(PLUGIN_HEADERS))

ifneq ($(plugin_folder),$(plugin_major))
include $(top_srcdir)/gcc-plugin/runtime.mk
endif

# Install the libraries where the compiler looks for its own libraries.
install: $(plugin) $(runtime_libraries)
	mkdir -p '$(install_dir)'
	install -m 644 $(plugin) '$(install_dir)/heapprof.so'
	test -z '$(runtime_libraries)' \
	  || cp -d $(runtime_libraries) '$(install_dir)/..'

uninstall:
	rm -f '$(install_dir)/heapprof.so'
	for library in $(notdir $(runtime_libraries)); do \
	  rm -f '$(install_dir)/../'"$$library"; \
	done

check-circles: $(objects)
	@$(check_circles) gcc-plugin $(objects)

clean:
	rm -rf $(object_dir)

.DELETE_ON_ERROR:
.PHONY: all install uninstall check-circles clean
