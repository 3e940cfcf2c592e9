#!/bin/sh
# SPDX-License-Identifier: MIT
#
# embed.sh BUILD_DIR KERNEL.S... - print embed.S, which holds the built kernels as bytes
#
# See src/kernels/builtin.h.

set -eu

build=$1
shift

echo '/* Made by ci/embed.sh. */'
echo '        .section .rodata'
i=0
for source; do
    cat <<ASM
        .balign 16
.Lobject$i:
        .incbin "$build/$source.o"
.Lobject${i}_end:
.Lname$i:
        .asciz  "${source##*/}"
ASM
    i=$((i + 1))
done

cat <<'ASM'
        .globl  fnp_builtin_contracts, fnp_builtin_contracts_end
        .type   fnp_builtin_contracts, @object
        .type   fnp_builtin_contracts_end, @object
fnp_builtin_contracts:
        .incbin "src/kernels/contracts.ini"
fnp_builtin_contracts_end:
        .byte   0

        .section .data.rel.ro, "aw"
        .balign 8
        .globl  fnp_builtin_objects
        .type   fnp_builtin_objects, @object
fnp_builtin_objects:
ASM
n=$i
i=0
while [ "$i" -lt "$n" ]; do
    echo "        .quad   .Lname$i, .Lobject$i, .Lobject${i}_end"
    i=$((i + 1))
done
cat <<'ASM'
        .quad   0, 0, 0
        .size   fnp_builtin_objects, . - fnp_builtin_objects

        .section .note.GNU-stack, "", @progbits
ASM
