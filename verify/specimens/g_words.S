/* SPDX-License-Identifier: MIT */
/*
 * words - copies that store an output in other portions than they promise
 *
 *     void *words_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst
 *   words_torn*: aligned words of WORD bytes whole; words_twice*: each byte stored once
 * Registers
 *   xdi  next byte to write, behind the copy dst + n
 *   xsi  next byte to read, behind the copy src + n
 *   xcx  bytes left
 *   xdx  n, then scratch
 */
#include "verify/specimens/both.h"

/* All full words with `move`, then the bytes that are left; dst is aligned. */
#define COPY(name, move)              \
        COPY_BEGIN(words_##name);     \
1:      cmp     $WORD, XCX;           \
        jb      2f;                   \
        move;                         \
        add     $WORD, XSI;           \
        add     $WORD, XDI;           \
        sub     $WORD, XCX;           \
        jmp     1b;                   \
2:      rep movsb;                    \
        COPY_END(words_##name)

COPY(whole, CODE(mov (XSI), XDX; mov XDX, (XDI)))
COPY(torn_in_halves, CODE(movzwl (XSI), %edx; mov %dx, (XDI);
     mov 2(XSI), %dx; mov %dx, 2(XDI); mov WORD-4(XSI), %edx; mov %edx, WORD-4(XDI)))
COPY(torn_only_last, CODE(cmp $2*WORD, XCX; jae 3f; mov (XSI), %dl; mov %dl, (XDI);
     mov 1(XSI), %dx; mov %dx, 1(XDI); mov WORD-4(XSI), %edx; mov %edx, WORD-4(XDI);
     mov 3(XSI), %dl; mov %dl, 3(XDI); jmp 4f; 3: mov (XSI), XDX; mov XDX, (XDI); 4:))

COPY_BEGIN(words_torn_by_string)
        rep movsb
COPY_END(words_torn_by_string)

COPY_BEGIN(words_twice_last)
        rep movsb
        test    XDX, XDX
        jz      1f
        mov     -1(XSI), %dl
        mov     %dl, -1(XDI)
1:
COPY_END(words_twice_last)

/* Two overlapping vectors for 16 to 32 bytes. */
COPY_BEGIN(words_twice_vectors)
        cmp     $16, XDX
        jb      1f
        cmp     $32, XDX
        ja      1f
        movups  (XSI), %xmm0
        movups  -16(XSI, XDX), %xmm1
        movups  %xmm0, (XDI)
        movups  %xmm1, -16(XDI, XDX)
        jmp     2f
1:      rep movsb
2:
COPY_END(words_twice_vectors)

COPY_BEGIN(words_once)
        rep movsb
COPY_END(words_once)
NO_EXEC_STACK
