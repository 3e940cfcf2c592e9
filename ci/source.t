#!/bin/sh
# SPDX-License-Identifier: MIT
#
# source.t - the source checks as tests, and tests that they can fail

cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
n=0

# report STATUS NAME [OUTPUT]
report() {
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        printf '%s\n' "$3" | sed 's/^/# /' >&2
    fi
}

# clean NAME COMMAND...: it must find nothing
clean() {
    name=$1
    shift
    out=$("$@" 2>&1)
    report $? "$name" "$out"
}

# trips NAME SCRIPT FILE TEXT: a tree with this one file must be refused, with a reason
trips() {
    rm -rf "${scratch:?}/tree"
    mkdir -p "$scratch/tree/$(dirname "$3")"
    printf '%b\n' "$4" >"$scratch/tree/$3"
    if out=$(sh "ci/$2" "$scratch/tree" 2>&1) || ! printf '%s' "$out" | grep -q "^$3"; then
        report 1 "$1" "$out"
    else
        report 0 "$1"
    fi
}

# passes NAME SCRIPT FILE TEXT: a tree with this one file must not be refused
passes() {
    rm -rf "${scratch:?}/tree"
    mkdir -p "$scratch/tree/$(dirname "$3")"
    printf '%b\n' "$4" >"$scratch/tree/$3"
    out=$(sh "ci/$2" "$scratch/tree" 2>&1)
    report $? "$1" "$out"
}

spdx='/* SPDX-License-Identifier: MIT */'

clean 'includes point down' sh ci/layers.sh
clean 'house style' sh ci/style.sh
clean 'clang-format agrees' sh ci/format.sh

trips 'base includes nothing above' layers.sh src/base/a.c '#include "x86/cpuid.h"'
trips 'x86 does not include report' layers.sh src/x86/a.c '#include "report/rules.h"'
trips 'report does not include x86' layers.sh src/report/a.c '#include "x86/cpuid.h"'
trips 'run does not include verify' layers.sh src/run/a.c '#include "verify/check.h"'
trips 'verify does not include cli' layers.sh verify/a.c '#include "cli/cli.h"'
trips 'nothing includes tests' layers.sh src/cli/a.c '#include "verify/self/tap.h"'
trips 'instruments are strangers' layers.sh src/order/a.c '#include "bench/clock.h"'
trips 'kernels include asm.h only' layers.sh src/kernels/a.S '#include "base/str.h"'
trips 'includes are rooted' layers.sh src/run/a.c '#include "pool.h"'
trips 'no way up' layers.sh src/run/a.c '#include "run/../cli/cli.h"'
trips 'jansson stays in report' layers.sh src/cli/a.c '#include <jansson.h>'
trips 'indented includes count' layers.sh src/base/a.c ' # include "run/pool.h"'
passes 'cli may include verify' layers.sh src/cli/a.c '#include "verify/check.h"'
passes 'tests may include cli' layers.sh verify/self/a.c '#include "cli/cli.h"'
passes 'subject may include report' layers.sh src/subject/a.c '#include "report/rules.h"'

trips 'SPDX first' style.sh src/base/a.c 'int a;'
trips 'no sprintf' style.sh src/base/a.c "$spdx\nint f(void) { return sprintf(b, x); }"
trips 'no // comment' style.sh src/base/a.c "$spdx\nint a; // why"
trips 'no #ifdef in base' style.sh src/base/a.c "$spdx\n#ifdef X\n#endif"
trips 'no tab' style.sh src/base/a.c "$spdx\n\tint a;"
trips 'kernels have a contract' style.sh src/kernels/a.S \
    "$spdx\n/*\n * Registers\n */\nNO_EXEC_STACK"
trips 'kernels name registers' style.sh src/kernels/a.S \
    "$spdx\n/*\n * Contract\n */\nNO_EXEC_STACK"
trips 'no executable stack' style.sh src/kernels/a.S \
    "$spdx\n/*\n * Contract\n * Registers\n */"
trips 'file length' style.sh src/base/a.c "$spdx$(yes '\n' | head -801 | tr -d '\n')"
trips 'function length' style.sh src/base/a.c \
    "$spdx\nint f(void)\n{\n$(yes '    g();\n' | head -80 | tr -d '\n')}"
passes 'texts and comments may name anything' style.sh src/base/a.c \
    "$spdx\n/* not sprintf(a) */\nconst char *a = \"sprintf( http://\";"
passes 'snprintf is fine' style.sh src/base/a.c "$spdx\nint f(void) { return snprintf(b); }"

echo "1..$n"
