#!/bin/sh
# SPDX-License-Identifier: MIT
#
# embed.sh OBJECT... - print embed.S, which holds the built kernels as bytes
#
# The folder of an object and its name say which source and which build it is; an
# argument COMPILER:OBJECT stands for one that is missing for want of that compiler.
# See src/kernels/builtin.h.

set -eu

# stem, file and variant of an object, from its path.
read_path()
{
    name=${1##*/}
    name=${name%.o}
    case $1 in
    */x86_64/*) file=$name variant= ;;
    */i386/*) file=$name variant=.i386 ;;
    */inline/*) file=${name%%.*}.c variant=.${name#*.} ;;
    *) echo "embed.sh: $1: not in a folder of kernels" >&2 && exit 1 ;;
    esac
}

echo '/* Made by ci/embed.sh. */'
echo '        .section .rodata'
i=0
for object; do
    read_path "$object"
    echo "        .balign 16"
    echo ".Lobject$i:"
    case $object in
    *:*) ;;
    *) echo "        .incbin \"$object\"" ;;
    esac
    cat <<ASM
.Lobject${i}_end:
.Lfile$i:
        .asciz  "$file"
.Lvariant$i:
        .asciz  "$variant"
.Lunbuilt$i:
        .asciz  "${object%%:*}"
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
i=0
for object; do
    unbuilt=0
    case $object in
    *:*) unbuilt=.Lunbuilt$i ;;
    esac
    echo "        .quad   .Lfile$i, .Lvariant$i, $unbuilt, .Lobject$i, .Lobject${i}_end"
    i=$((i + 1))
done
cat <<'ASM'
        .quad   0, 0, 0, 0, 0
        .size   fnp_builtin_objects, . - fnp_builtin_objects

        .section .note.GNU-stack, "", @progbits
ASM
