#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gate.sh TOOL SPECIMENS - before a merge: are the checks awake, and do our kernels pass?
#
# A verdict is worth nothing if the checks behind it see nothing, so every specimen must
# be named and no twin accused before any verdict is given.  That answer is kept for this
# very tool, these specimens and this CPU, in TOOL.awake.

set -eu

tool=$1
specimens=$2
root=$(cd "$(dirname "$0")/.." && pwd)
test=$root/verify/self/specimens.t

[ -f "$test" ] && [ -n "$(ls "$specimens" 2>/dev/null)" ] || {
    echo "gate: no specimens, so nothing says that the checks work" >&2
    exit 3
}

key=$({
    cat "$tool" "$test"
    find "$specimens" -type f | sort | xargs cat
    sed -n '/^$/q; /^\(vendor_id\|cpu family\|model\|stepping\|microcode\|flags\)/p' \
        /proc/cpuinfo
} | sha256sum)
if [ "$(cat "$tool.awake" 2>/dev/null)" = "$key" ]; then
    echo 'specimens and twins: as before (same tool, specimens and CPU)'
else
    rm -f "$tool.awake"
    # The paths may be relative to here; the test may go elsewhere.
    FENCEPOST=$(cd "$(dirname "$tool")" && pwd)/fencepost \
        SPECIMENS=$(cd "$specimens" && pwd) SRCDIR=$root \
        BUILD=$(cd "$(dirname "$tool")" && pwd) prove --exec 'timeout 900' "$test"
    printf '%s\n' "$key" >"$tool.awake"
fi

"$tool" verify --builtin --fail-on warning
