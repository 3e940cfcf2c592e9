#!/bin/sh
# SPDX-License-Identifier: MIT
#
# style.sh [ROOT] - what no compiler and no formatter says about our sources

set -eu
cd "${1-$(dirname "$0")/..}"

# A script that cannot be executed is a test that never runs.
stuck=$(find ci verify -name '*.t' ! -perm -u+x 2>/dev/null || true)
[ -z "$stuck" ] || {
    echo "$stuck: not executable"
    exit 1
}

list=$(find src verify fuzz -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.S' -o -name '*.def' \) 2>/dev/null | sort)
[ -n "$list" ] || {
    echo "style: no source was seen at all"
    exit 1
}

# shellcheck disable=SC2086 # none of our file names holds a space
awk '
function complain(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    bad++
}

function finish() {
    if (FILENAME_WAS ~ /^src\/kernels\/.*\.S$/) {
        if (!contract) { print FILENAME_WAS ": no Contract in its header"; bad++ }
        if (!registers) { print FILENAME_WAS ": no Registers in its header"; bad++ }
    }
    if (lines > 800) { print FILENAME_WAS ": " lines " lines, more than 800"; bad++ }
    if (length(FILENAME_WAS) && FILENAME_WAS ~ /\.S$/ && !stack_note) {
        print FILENAME_WAS ": no NO_EXEC_STACK"
        bad++
    }
}

FNR == 1 {
    finish()
    FILENAME_WAS = FILENAME
    contract = registers = stack_note = 0
    if ($0 != "/* SPDX-License-Identifier: MIT */") complain("the first line is not the SPDX line")
}
{ lines = FNR }
/^ \* Contract/ { contract = 1 }
/^ \* Registers/ { registers = 1 }
/NO_EXEC_STACK|\.note\.GNU-stack/ { stack_note = 1 }
/\t/ { complain("a tab") }
/[ \r]$/ { complain("space at the end of the line") }

FILENAME ~ /\.[ch]$/ {
    code = $0
    # Texts and comments may name what code may not use.
    gsub(/\\"/, "", code)
    gsub(/"[^"]*"/, "\"\"", code)
    if (code ~ /(^|[^:"])\/\//) complain("a // comment")
    sub(/\/\*.*/, "", code)
    if (code ~ /^ \*/) next
    if (code ~ /(^|[^a-zA-Z0-9_])(sprintf|vsprintf|strcpy|strcat|strncpy|strncat|atoi|atol|sscanf|gets)[ ]*\(/)
        complain("a banned call; use snprintf, struct fnp_str, fnp_parse_u64")
    if (FILENAME ~ /\.c$/ && FILENAME !~ /^src\/(x86|run)\// && code ~ /^ *# *if/)
        complain("#if in a .c outside src/x86 and src/run")
}
END { finish(); exit bad > 0 }
' $list

# Functions: 70 lines, complexity 15 (a switch counts once; tests compare long rows of
# fields, each && is one more).
command -v pmccabe >/dev/null 2>&1 || {
    echo "style: no pmccabe; make deps installs it"
    exit 1
}
# shellcheck disable=SC2086,SC2046
pmccabe $(printf '%s\n' $list | grep '\.c$') | awk -F'\t' '
        { most = $6 ~ /^verify\/self\// ? 25 : 15 }
        $1 > most { printf "%s: complexity %d, more than %d\n", $6, $1, most; bad++ }
        $5 > 70 { printf "%s: %d lines, more than 70\n", $6, $5; bad++ }
        END { exit bad > 0 }'
