#!/bin/sh
# SPDX-License-Identifier: MIT
#
# layers.sh [ROOT] - do includes only point down?  (docs/design.md, "Layers")
#
# Reads #include lines and nothing else.

set -eu
cd "${1-$(dirname "$0")/..}"

find src verify fuzz -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.S' -o -name '*.def' \) -print0 2>/dev/null |
    xargs -0 -r grep -Hn '^[[:space:]]*#[[:space:]]*include' /dev/null | awk '
BEGIN {
    level["base"] = 0
    level["kernels"] = 0
    level["report"] = level["x86"] = 1
    level["subject"] = 2
    level["run"] = 3
    level["trace"] = 4
    level["order"] = level["lint"] = level["bench"] = 5
    level["verify"] = 6
    level["fuzz"] = 7
    level["cli"] = 8
    # Tests look at everything and nothing looks at them.
    level["self"] = 9
}

# Which module is this path in?  "" is none of ours.
function module(path,    part, n) {
    n = split(path, part, "/")
    if (part[1] == "src") {
        return n > 2 && part[2] in level ? part[2] : ""
    }
    if (part[1] == "verify" && (part[2] == "self" || part[2] == "bench")) {
        return "self"
    }
    if (part[1] == "verify" || part[1] == "fuzz") {
        return part[1]
    }
    return part[1] in level && n > 1 ? part[1] : ""
}

function complain(text) {
    printf "%s:%s: %s\n", file, line, text
    bad++
}

{
    file = $0
    sub(/:.*/, "", file)
    line = substr($0, length(file) + 2)
    sub(/:.*/, "", line)
    seen++
    from = module(file)
    if (from == "") {
        complain("is in no module that ci/layers.sh knows")
        next
    }

    if (match($0, /<[^>]*>/)) {
        name = substr($0, RSTART + 1, RLENGTH - 2)
        if (name == "jansson.h" && from != "report" && from != "self" &&
            file != "src/subject/compdb.c") {
            complain("jansson is for src/report and src/subject/compdb.c only")
        }
        if (name == "ini.h" && from != "subject" && from != "self") {
            complain("inih is for src/subject only")
        }
        next
    }
    if (!match($0, /"[^"]*"/)) {
        complain("an include that is neither <> nor \"\"")
        next
    }
    name = substr($0, RSTART + 1, RLENGTH - 2)
    to = module(name)
    if (name ~ /\.\./ || name ~ /^src\// || to == "") {
        complain("\"" name "\" is not a path from src/ or from the root")
    } else if (from == "kernels") {
        if (name != "x86/asm.h" && to != "kernels") {
            complain("a kernel includes x86/asm.h and nothing else")
        }
    } else if (from != to && level[to] >= level[from]) {
        complain(from " must not include " to " (\"" name "\")")
    }
}

END {
    if (!seen) {
        print "layers: no include was seen at all"
    }
    exit bad > 0 || !seen
}'
