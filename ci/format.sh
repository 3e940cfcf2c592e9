#!/bin/sh
# SPDX-License-Identifier: MIT
#
# format.sh [--fix] - does clang-format agree with every .c and .h?

set -eu
cd "$(dirname "$0")/.."

clang_format=${CLANG_FORMAT:-clang-format-19}
command -v "$clang_format" >/dev/null || {
    echo "format: no $clang_format; make deps installs it" >&2
    exit 1
}

# every COMMAND...: run it on all files at once
every() {
    find src verify fuzz \( -name '*.c' -o -name '*.h' \) -type f -print0 2>/dev/null |
        xargs -0 -r "$@"
}

if [ "${1-}" = --fix ]; then
    every "$clang_format" -i
    exit
fi
if out=$(every "$clang_format" --dry-run -Werror 2>&1); then
    exit 0
fi
printf '%s\n' "$out" | sed -n 's/^\([^: ]*\):\([0-9]*\):.*error:.*/\1/p' | sort | uniq -c |
    awk '{ print $2 ": " $1 " places are not as clang-format has them; make format" }'
exit 1
