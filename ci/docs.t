#!/bin/sh
# SPDX-License-Identifier: MIT
#
# docs.t - what the documents say is so: lists are complete, examples work

cd "$(dirname "$0")/.." || exit 1
tool=${FENCEPOST:?}
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

# ini FILE: the INI examples of a document
ini() {
    sed -n '/^```ini$/,/^```$/ { /^```/d; p; }' "$1"
}

lines=$(wc -l <README.md)
[ "$lines" -le 200 ]
report $? 'README.md has at most 200 lines' "$lines"

missing=$(sed -n 's/^RULE([A-Z0-9_]*, "\([a-z0-9-]*\)", [A-Z_]*, "verify".*/\1/p' \
    src/report/rules.def | while read -r slug; do
    grep -q "^|.*\<$slug\>.*|" docs/design.md || echo "$slug"
done)
[ -z "$missing" ]
report $? 'docs/design.md has every slug' "$missing"

keys=$(sed -n 's/^ *KEY("\([a-z0-9]*\)", .*/\1/p' src/subject/case_keys.c)
missing=$(for key in $keys; do
    grep -q "^| \`$key\` |" docs/design.md || echo "$key"
done)
[ -n "$keys" ] && [ -z "$missing" ]
report $? 'docs/design.md has every case key' "$missing"

keys=$("$tool" verify --help | sed -n '/^contract keys/,$ { s/^  --/--/p; }' | tr -d -- -)
missing=$(for key in $keys; do
    grep -qE "^$key +=|\`$key(\`| = )" docs/design.md || echo "$key"
done)
[ -n "$keys" ] && [ -z "$missing" ]
report $? 'docs/design.md has every contract key' "$missing"

formats=$("$tool" verify --help | sed -n 's/^  --format NAME *//p' | sed 's/,//g; s/ or / /')
missing=$(for format in $formats; do
    sed -n '/^## Command line/,/^## Honesty/p' docs/design.md | grep -q "\<$format\>[|\`]" ||
        echo "$format"
done)
[ -n "$formats" ] && [ -z "$missing" ]
report $? 'docs/design.md has every format' "$missing"

missing=$(grep -ohE '\]\([^)#:]+\)' README.md CONTRIBUTING.md | sed 's/](\(.*\))/\1/' |
    while read -r file; do [ -e "$file" ] || echo "$file"; done)
[ -z "$missing" ]
report $? 'links lead somewhere' "$missing"

missing=$(sed -n 's/.*`make \([a-z-]*\).*/\1/p; s/^make \(deps \)\{0,1\}\([a-z-]*\).*/\2/p' \
    README.md CONTRIBUTING.md | while read -r target; do
    make -n "$target" >/dev/null 2>&1 || echo "$target"
done)
[ -z "$missing" ]
report $? 'make targets exist' "$missing"

# The README's own kernels, as plain as can be.
cat >"$scratch/my.S" <<'ASM'
        .globl  my_memcpy, copy_page_fast, xor_blocks, xor_bytes
        .type   my_memcpy, @function
        .type   copy_page_fast, @function
        .type   xor_blocks, @function
        .type   xor_bytes, @function
my_memcpy:
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
        .size   my_memcpy, . - my_memcpy
copy_page_fast:
        mov     $512, %ecx
        rep movsq
        ret
        .size   copy_page_fast, . - copy_page_fast
xor_blocks:
        test    %rdi, %rdi
        jz      2f
1:      mov     -8(%rdx,%rdi), %rax
        xor     %rax, -8(%rsi,%rdi)
        sub     $8, %rdi
        jnz     1b
2:      ret
        .size   xor_blocks, . - xor_blocks
xor_bytes:
        test    %rdi, %rdi
        jz      2f
1:      mov     -1(%rdx,%rdi), %al
        xor     %al, -1(%rsi,%rdi)
        dec     %rdi
        jnz     1b
2:      ret
        .size   xor_bytes, . - xor_bytes
        .section .note.GNU-stack, "", @progbits
ASM
ini README.md >"$scratch/readme.ini"
cd "$scratch" || exit 1
out=$(gcc -c my.S -o my.o 2>&1)
report $? 'gcc -c my.S -o my.o' "$out"

out=$("$tool" verify my.o:my_memcpy 2>&1)
report $? 'README: verify my.o:my_memcpy' "$out"
out=$({ "$tool" contract my.o:my_memcpy >my.ini && "$tool" verify --contract my.ini; } 2>&1)
report $? 'README: contract > my.ini; verify --contract my.ini' "$out"
out=$("$tool" verify my.S:my_memcpy 2>&1)
report $? 'README: verify my.S:my_memcpy' "$out"
out=$("$tool" verify --contract readme.ini 2>&1)
report $? 'README: its contracts' "$out"
out=$("$tool" verify --exhaustive 'n=0:256 dst=0:63' my.o:my_memcpy 2>&1)
report $? 'README: --exhaustive' "$out"
out=$("$tool" replay my.o:my_memcpy 'v1 n=33 dst=13' --emit-c bug.c 2>&1)
[ -s bug.c ]
report $? 'README: --emit-c' "$out"

sed -n '/page_copy_jge$/,/^```/ { /^page_copy_jge:/p; /^  case/p; /^  where/p; }' \
    "$SRCDIR/README.md" >said
"$tool" verify --contract "$SPECIMENS/a.ini" page_copy_jge 2>&1 |
    sed -n '/^page_copy_jge:/p; /^  case/p; /^  where/p' >seen
out=$(diff said seen) && [ -s said ]
report $? 'README: the finding it shows' "$out"

cp my.o copy_page.o
ini "$SRCDIR/docs/design.md" | sed '1s/.*/[copy_page_fast]/; /^symbol/d
    s/^proto.*/proto = void f(size_t n, void dst[n], const void src[n], int c)/
    s/^abi.*/abi = sysv64/' >design.ini
out=$("$tool" contract --contract design.ini 2>&1)
report $? 'docs/design.md: its contract is understood' "$out"

echo "1..$n"
