# SPDX-License-Identifier: MIT
#
# Makefile - what can be made; how is in ci/build.mk
#
# No tool is looked for while this file is read: `deps` installs them first, then a
# second make reads ci/build.mk.  Targets run one after another in the order given, so
# `make -j deps verify` works on a fresh machine; the second make runs in parallel.
#
# Knobs: V=1 shows commands, VARIANT=dev|release|asan|ubsan, CC=clang-19, CFLAGS=...,
# WERROR= lets warnings pass.  Put lasting settings into config.mk.

.DELETE_ON_ERROR:
.SUFFIXES:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

built := all verify gate check questions headers format-check style warnings tidy bench-run bench-trace
variants := release asan ubsan

.PHONY: help deps clean format $(built) $(variants)

# The jobserver of -jN if there is one, else one job per CPU.
jobs = $(if $(filter -j%,$(MAKEFLAGS)),,-j$$(nproc 2>/dev/null || echo 1))
second_make = +@$(MAKE) -f ci/build.mk --no-print-directory $(jobs)

## all: build the tool, build/fencepost (the default)
## verify: run every built-in kernel and judge it (the main job)
## gate: what a merge needs: specimens are named, twins are not, built-ins pass
## check: all tests and source checks
## questions: the tables of docs/questions.md, made by this machine
## headers: each header compiles alone
## format-check: clang-format would change nothing
## style: include rules, banned calls, file lengths
## warnings: no warning under gcc, clang-14 and clang-19
## tidy: clang-tidy
## bench-run: time the engine against a plain fill-call-compare loop
## bench-trace: time the recorder against native runs and single steps
$(built): $(filter deps,$(MAKECMDGOALS))
	$(second_make) $@

## release: build the tool as it is shipped, build/release/fencepost
release: $(filter deps,$(MAKECMDGOALS))
	$(second_make) VARIANT=$@ all

## asan: `make check` under AddressSanitizer
## ubsan: `make check` under UndefinedBehaviorSanitizer
asan ubsan: $(filter deps,$(MAKECMDGOALS))
	$(second_make) VARIANT=$@ check

## deps: install the Debian packages of ci/packages.txt
deps:
	@sh ci/bootstrap.sh

## format: run clang-format on everything
format: $(filter deps,$(MAKECMDGOALS))
	@sh ci/format.sh --fix

## clean: remove build/
clean:
	rm -rf build

## help: this list
help:
	@sed -n 's/^## \([a-z-]*\): /\1\t/p' $(firstword $(MAKEFILE_LIST)) | \
	    awk -F'\t' '{ printf "  %-13s %s\n", $$1, $$2 }'
