# SPDX-License-Identifier: MIT
#
# build.mk - how everything is built; read by the second make, when tools are there
#
# build/<variant>/ mirrors the tree.  Objects are named x.c.o and x.S.o, so that a .c
# and a .S of one name cannot collide.

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

-include config.mk
ifeq ($(origin CC),default) # make predefines CC, so ?= would never take effect
CC := gcc
endif
VARIANT ?= dev
V       ?= 0
WERROR  ?= -Werror
B       := build/$(VARIANT)

say_0 = @printf '  %-8s %s\n' '$(1)' '$(patsubst $(B)/%,%,$@)';
say_1 =
say   = $(say_$(V))

# ---- flags

opt_dev     := -O2 -g
opt_release := -O2 -g
opt_asan    := -O1 -g -fno-omit-frame-pointer
opt_ubsan   := -O1 -g
san_asan    := -fsanitize=address -fno-sanitize-recover=all
san_ubsan   := -fsanitize=undefined -fno-sanitize-recover=all
ifndef opt_$(VARIANT)
$(error VARIANT=$(VARIANT) is not one of: dev release asan ubsan)
endif

cppflags := -D_GNU_SOURCE -Isrc -I. $(CPPFLAGS)
warnings := -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wvla -Wstrict-prototypes \
            -Wmissing-prototypes -Wold-style-definition -Wwrite-strings \
            -Wpointer-arith -Wcast-qual -Wcast-align -Wformat=2 \
            -Wimplicit-fallthrough -Wconversion -Wsign-conversion
sanitize  = $(san_$(VARIANT))
cflags    = -std=gnu17 -fPIE $(opt_$(VARIANT)) $(sanitize) $(warnings) $(WERROR) \
            $(own_cflags) $(CFLAGS)
asflags  := -g
ldflags  := -pie -Wl,-z,noexecstack -Wl,-z,now -Wl,--as-needed $(san_$(VARIANT)) $(LDFLAGS)
libs     := -lZydis -lZycore -linih -ljansson -ldw -lelf -lmd -lm $(LDLIBS)

# What runs a kernel has its stack and registers taken away under it: no stack
# protector, no shadow stack markers, no sanitizer.
run_cflags := -fno-stack-protector -fcf-protection=none

# Does this compiler know an option?  It prints the option or nothing.
known = $(shell $(CC) $(1) -Werror -fsyntax-only -x c /dev/null >/dev/null 2>&1 && \
                echo "$(1)")

# As a kernel is built whose caller may have live x87, MMX and vector registers and
# takes interrupts on the same stack.  Not -mgeneral-regs-only: with it GCC refuses
# statements that say they clobber x87 registers.
inline_cflags := -std=gnu17 -g -ffreestanding -mno-sse -mno-mmx -mno-red-zone \
                 -fno-stack-protector -fcf-protection=none -fno-pic $(warnings) $(WERROR)

# The byte loops that judge memcpy must never become a call to memcpy.
reference_cflags := -O3 -ffreestanding -fno-builtin \
                    $(call known,-fno-tree-loop-distribute-patterns)

# Only the assembler is needed for these, no 32-bit libc.
specimens32 := verify/specimens/i386
kernels32   := src/kernels/i386
$(B)/$(specimens32)/%: own_asflags = -m32
$(B)/$(kernels32)/%: own_asflags = -m32

$(B)/src/run/%: sanitize =
$(B)/src/run/%: own_cflags = $(run_cflags)
$(B)/src/run/reference.c.o: own_cflags = $(run_cflags) $(reference_cflags)

# ---- sources

find = $(sort $(foreach dir,$(1),$(wildcard $(dir)/$(2))))

modules := src/base src/report src/x86 src/subject src/run src/trace src/order src/lint \
           src/bench src/cli verify verify/mutate fuzz
main    := src/cli/main.c

lib_srcs      := $(filter-out $(main),$(call find,$(modules),*.c)) $(call find,$(modules),*.S)
kernel_srcs   := $(call find,src/kernels/x86_64 $(kernels32),*.S)
inline_srcs   := $(call find,src/kernels/inline,*.c)
specimen_srcs := $(call find,verify/specimens $(specimens32),*.S)
specimen_c    := $(call find,verify/specimens/inline,*.c)
test_srcs     := $(call find,verify/self,*_test.c)
helper_srcs   := $(filter-out $(test_srcs),$(call find,verify/self,*.c)) \
                 $(call find,verify/self,*.S)
bench_srcs    := $(call find,verify/bench,*.c) $(call find,verify/bench,*.S)
headers       := $(call find,$(modules) src/kernels src/kernels/inline verify/self verify/bench,*.h)
c_srcs        := $(filter %.c,$(lib_srcs) $(main) $(inline_srcs) $(specimen_c) $(test_srcs) \
                   $(helper_srcs) $(bench_srcs))
s_srcs        := $(filter %.S,$(lib_srcs) $(kernel_srcs) $(helper_srcs) $(bench_srcs))

# A kernel in C is one for each compiler, level and width; COMPILER:OBJECT is one that
# cannot be built, because the compiler is missing.
inline_builds := $(foreach cc,gcc clang,$(foreach level,O1 O2 O3,$(cc)-$(level) \
                   $(cc)-$(level).i386))
inline_gcc    := gcc
inline_clang  := clang-19
inline_cc      = $(inline_$(firstword $(subst -, ,$(1))))
inline_level   = $(if $(filter %.i386,$(1)),-m32,-m64) \
                 -$(patsubst %.i386,%,$(lastword $(subst -, ,$(1))))
in_path        = $(wildcard $(addsuffix /$(1),$(subst :, ,$(PATH))))
inline_lacks   = $(if $(call in_path,$(inline_cc)),,$(inline_cc):)
inline_objs   := $(foreach src,$(inline_srcs),$(foreach build,$(inline_builds),\
                   $(call inline_lacks,$(build))$(B)/$(src:.c=.$(build).o)))
inline_built  := $(foreach obj,$(inline_objs),$(if $(findstring :,$(obj)),,$(obj)))

object        = $(patsubst %,$(B)/%.o,$(1))
lib_objs     := $(call object,$(lib_srcs)) $(B)/embed.S.o
helper_objs  := $(call object,$(helper_srcs))
kernel_objs  := $(call object,$(kernel_srcs))
specimen_objs := $(call object,$(specimen_srcs) $(specimen_c) \
                   $(patsubst verify/specimens/inline/%,$(specimens32)/%,$(specimen_c)))
test_progs   := $(patsubst %.c,$(B)/%,$(test_srcs))
scripts      := $(call find,ci verify/self verify/golden,*.t)

# ---- the tool

.PHONY: all tool tests specimens verify gate check questions headers format-check style warnings \
        tidy bench-run bench-trace FORCE

tool  := $(B)/fencepost
lib   := $(B)/libfencepost.a
all: $(tool) specimens
ifeq ($(VARIANT),dev)
all: build/fencepost
endif

# A relative link: the tree may be moved.
build/fencepost: $(tool)
	@ln -sfn $(VARIANT)/fencepost $@

$(tool): $(call object,$(main)) $(lib) $(B)/flags
	$(call say,LINK)$(CC) $(ldflags) -o $@ $(filter %.o %.a,$^) $(libs)

# An archive, so that a test program takes only what it calls.
$(lib): $(lib_objs) $(B)/sources $(B)/reference-checked
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $(lib_objs)

$(B)/reference-checked: $(filter %/src/run/reference.c.o,$(lib_objs)) $(B)/sources
	@! nm -u $(filter %.o,$<) /dev/null 2>/dev/null | grep -E ' (__)?mem[a-z_]*$$' || \
	    { echo 'src/run/reference.c calls mem*: it cannot judge mem*' >&2; exit 1; }
	@touch $@

# ---- objects

made_dir = @mkdir -p $(@D)

$(B)/%.c.o: %.c $(B)/flags
	$(made_dir)
	$(call say,CC)$(CC) $(cppflags) $(cflags) -MMD -MP -MF $@.d -c -o $@ $<
$(B)/%.S.o: %.S $(B)/flags
	$(made_dir)
	$(call say,AS)$(CC) $(cppflags) $(asflags) $(own_asflags) -MMD -MP -MF $@.d \
	    -c -o $@ $<
$(B)/embed.S.o: $(B)/embed.S $(kernel_objs) $(inline_built) $(wildcard src/kernels/contracts.ini)
	$(call say,AS)$(CC) -c -o $@ $<

define inline_rule
$(B)/%.$(1).o: %.c $(B)/flags
	$$(made_dir)
	$$(call say,$(1))$(call inline_cc,$(1)) $$(cppflags) $$(inline_cflags) \
	    $(call inline_level,$(1)) -MMD -MP -MF $$@.d -c -o $$@ $$<
endef
$(foreach build,$(inline_builds),$(eval $(call inline_rule,$(build))))

# A specimen in C is one in each width.  It shows what gcc makes of the fault, whatever
# $(CC) is: other compilers believe less of a wrong constraint.
define specimen_rule
$(B)/$(1)/%.c.o: verify/specimens/inline/%.c $(B)/flags
	$$(made_dir)
	$$(call say,gcc)$(inline_gcc) $$(cppflags) $$(inline_cflags) -O2 $(2) -MMD -MP -MF $$@.d \
	    -c -o $$@ $$<
endef
$(eval $(call specimen_rule,verify/specimens/inline,-m64))
$(eval $(call specimen_rule,$(specimens32),-m32))

# The assembler reads it behind the back of -MMD.
$(B)/src/cli/template.S.o: $(wildcard src/cli/emit/*.c)

# Rewritten only when they change; whatever is built from flags or from a list of
# sources depends on them, so a removed source or another compiler is noticed.
keep_if_same = cmp -s $@.new $@ && rm $@.new || mv $@.new $@
flags_now    = $(CC) $(cppflags) $(cflags) / $(asflags) / $(ldflags) $(libs) / \
               $(run_cflags) / $(reference_cflags) / $(inline_cflags)

$(B)/flags: FORCE
	$(made_dir)
	@printf '%s\n' '$(flags_now)' > $@.new; $(keep_if_same)
$(B)/sources: FORCE
	$(made_dir)
	@printf '%s\n' '$(lib_srcs) $(kernel_objs) $(inline_objs)' > $@.new; $(keep_if_same)

# The shipped kernels as bytes: none of their symbols may exist in the tool itself.
$(B)/embed.S: ci/embed.sh $(B)/sources
	$(call say,GEN)sh ci/embed.sh $(kernel_objs) $(inline_objs) > $@

# ---- specimens

specimen_inis := $(patsubst %,$(B)/%,$(call find,verify/specimens,*.ini))

specimens: $(specimen_objs) $(specimen_inis)

# The .S and .c of the contracts are objects here.
$(B)/verify/specimens/%.ini: verify/specimens/%.ini
	$(made_dir)
	@sed -E '/^[[:space:]]*(object|op)[[:space:]]*=/ s/\.([Sc])([[:space:]:;]|$$)/.\1.o\2/g' \
	    $< > $@

# ---- main job

verify: all
	@$(tool) verify --builtin --fail-on warning

gate: all
	@sh ci/gate.sh $(tool) $(B)/verify/specimens

questions: all
	@perl corpus/questions/tables.pl $(tool)

# ---- tests

tests: all $(test_progs)

$(test_progs): $(B)/%: $(B)/%.c.o $(helper_objs) $(lib)
	$(call say,LINK)$(CC) $(ldflags) -o $@ $(filter %.o %.a,$^) $(libs)

# The sanitizers must leave signals alone: catching them is what is tested.
asan_options := detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:use_sigaltstack=0:allow_user_segv_handler=1
test_env = FENCEPOST='$(CURDIR)/$(tool)' SPECIMENS='$(CURDIR)/$(B)/verify/specimens' \
           SRCDIR='$(CURDIR)' BUILD='$(CURDIR)/$(B)' VARIANT='$(VARIANT)' \
           ASAN_OPTIONS='$(asan_options)' UBSAN_OPTIONS=print_stacktrace=1

# --exec '...': run each test itself, whatever it is written in.
check: tests headers
	@$(test_env) prove --exec 'timeout 900' --timer -j $$(nproc) $(PROVE_FLAGS) \
	    $(scripts) $(test_progs)

# bench-NAME runs verify/bench/NAME_bench.c.
bench-run bench-trace: bench-%: all $(B)/verify/bench/%_bench
	@$(test_env) $(B)/verify/bench/$*_bench

$(B)/verify/bench/%_bench: $(B)/verify/bench/%_bench.c.o $(lib) $(B)/flags
	$(call say,LINK)$(CC) $(ldflags) -o $@ $(filter %.o %.a,$^) $(libs)

# ---- source checks

headers: $(patsubst %,$(B)/headers/%.ok,$(headers))

$(B)/headers/%.h.ok: %.h $(B)/flags
	$(made_dir)
	$(call say,HEADER)printf '#include "%s"\ntypedef int fnp_header;\n' '$<' | \
	    $(CC) $(cppflags) $(cflags) -fsyntax-only -MMD -MP -MF $@.d -MT $@ -x c -
	@touch $@

format-check:
	@sh ci/format.sh

style:
	@sh ci/layers.sh
	@sh ci/style.sh

compilers := gcc clang-14 clang-19

# Kernels and specimens are made with whatever assembler $(CC) uses; they are tried
# with each of them here, too.
define warning_rules
warnings: $(patsubst %,$(B)/warnings/$(1)/%.ok,$(c_srcs) $(s_srcs) $(specimen_srcs))
$(B)/warnings/$(1)/$(specimens32)/%: own_asflags = -m32
$(B)/warnings/$(1)/$(kernels32)/%: own_asflags = -m32
$(B)/warnings/$(1)/%.c.ok: %.c $(B)/flags
	$$(made_dir)
	$$(call say,$(1))$(1) $$(cppflags) $$(cflags) $(WERROR_ALWAYS) -fsyntax-only \
	    -MMD -MP -MF $$@.d -MT $$@ $$<
	@touch $$@
$(B)/warnings/$(1)/%.S.ok: %.S $(B)/flags
	$$(made_dir)
	$$(call say,$(1))$(1) $$(cppflags) $$(asflags) $$(own_asflags) -Werror -MMD -MP -MF $$@.d -MT $$@ \
	    -c -o $$@ $$<
endef
WERROR_ALWAYS := -Werror
$(foreach cc,$(compilers),$(eval $(call warning_rules,$(cc))))
# gcc finds some only while it optimises.
warnings: $(lib) tests

tidy:
	@clang-tidy-19 --quiet $(c_srcs) -- -std=gnu17 $(cppflags)

# ---- what includes what

-include $(patsubst %,%.d,$(call object,$(c_srcs) $(s_srcs)) $(specimen_objs) $(inline_built))
-include $(patsubst %,$(B)/headers/%.ok.d,$(headers))
-include $(foreach cc,$(compilers),$(patsubst %,$(B)/warnings/$(cc)/%.ok.d,$(c_srcs) $(s_srcs) $(specimen_srcs)))
