/* SPDX-License-Identifier: MIT */
/*
 * below - sound copies that use or look at memory below the stack pointer
 *
 *     void *below_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst
 *   64-bit user code may use 128 bytes below rsp, other code none; below_zone_* stay
 *   within these 128
 * Registers
 *   xdi, xsi, xcx  as for rep movsb, then scratch
 *   xdx  n, then scratch
 */
#include "verify/specimens/both.h"

#define COPY(name, before, after)     \
        COPY_BEGIN(below_##name);     \
        before;                       \
        rep movsb;                    \
        after;                        \
        COPY_END(below_##name)

/* Scratch and relied on: stored before the copy, loaded behind it. */
#define KEPT(name, at) COPY(name, CODE(mov XAX, -at(XSP)), CODE(mov -at(XSP), XAX))
/* Scratch, and nobody looks again. */
#define LEFT(name, at) COPY(name, CODE(mov XDX, -at(XSP)), )
#define SEEN(name, at) COPY(name, , CODE(mov -at(XSP), XCX))

KEPT(kept_136, 136)
KEPT(kept_160, 160)
KEPT(kept_192, 192)
KEPT(kept_256, 256)
KEPT(kept_1000, 1000)
LEFT(left_136, 136)
LEFT(left_129, 129)
LEFT(left_256, 256)
SEEN(seen_136, 136)
SEEN(seen_130, 130)
SEEN(seen_256, 256)
COPY(byte_129, , CODE(movb $0, -129(XSP)))
COPY(byte_at_only_96, , CODE(cmp $96, XDX; jne 1f; movb $0, -140(XSP); 1:))
COPY(byte_of_vector, , CODE(movups %xmm0, -129(XSP)))
COPY(area_filled, , CODE(mov XAX, XDX; lea -256(XSP), XDI; mov $64, %ecx; rep stosb; mov XDX, XAX))
COPY(area_by_pointer, , CODE(lea -144(XSP), XDI; mov XDI, XCX; movb $1, (XCX)))
COPY(behind_frame, CODE(sub $64, XSP; .cfi_adjust_cfa_offset 64; mov XDX, (XSP)),
     CODE(add $64, XSP; .cfi_adjust_cfa_offset -64; mov XDX, -256(XSP)))
COPY(frame_gone, CODE(sub $512, XSP; .cfi_adjust_cfa_offset 512; mov XAX, (XSP)),
     CODE(add $512, XSP; .cfi_adjust_cfa_offset -512; mov -512(XSP), XAX))
COPY(below_lowered, CODE(sub $64, XSP; .cfi_adjust_cfa_offset 64; mov XDX, -136(XSP)),
     CODE(add $64, XSP; .cfi_adjust_cfa_offset -64))
COPY(x87_saved, , CODE(fnsave -236(XSP); frstor -236(XSP)))
COPY(saved_vectors, CODE(movups %xmm0, -144(XSP); movups %xmm1, -160(XSP)),
     CODE(movups -144(XSP), %xmm0; movups -160(XSP), %xmm1))

/* Inside of the 128 bytes. */
KEPT(zone_word, WORD)
KEPT(zone_64, 64)
KEPT(zone_128, 128)
LEFT(zone_left, 72)
SEEN(zone_seen, 72)
COPY(zone_last_byte, , CODE(movb $0, -128(XSP)))
COPY(zone_first_byte, , CODE(movb $0, -1(XSP)))
COPY(zone_vectors, CODE(movups %xmm0, -128(XSP); movups %xmm1, -112(XSP)),
     CODE(movups -128(XSP), %xmm0; movups -112(XSP), %xmm1))
COPY(zone_behind_pop, CODE(KEEP XDX; GIVE XCX), CODE(mov -WORD(XSP), XDX))
COPY(zone_filled, , CODE(mov XAX, XDX; lea -128(XSP), XDI; mov $128, %ecx; rep stosb; mov XDX, XAX))
COPY(zone_fpu, CODE(fnstenv -28(XSP); fldenv -28(XSP); stmxcsr -4(XSP); ldmxcsr -4(XSP)), )
COPY(zone_of_helper, CODE(call NAMED(below_helper)), )

/* A leaf that uses all of the red zone. */
FUNC(NAMED(below_helper))
        mov     XDX, -WORD(XSP)
        movups  %xmm0, -128(XSP)
        mov     -WORD(XSP), XDX
        ret
END_FUNC(NAMED(below_helper))

/* ---- sound everywhere */

COPY(right, , )
COPY(pushed, CODE(KEEP XDX; KEEP XDX), CODE(GIVE XDX; GIVE XDX))
COPY(frame, CODE(sub $512, XSP; .cfi_adjust_cfa_offset 512; mov XAX, (XSP); movups %xmm0, 16(XSP)),
     CODE(mov (XSP), XAX; add $512, XSP; .cfi_adjust_cfa_offset -512))
COPY(aligned_frame, CODE(KEEP XBP; mov XSP, XBP; .cfi_def_cfa_register XBP; sub $96, XSP;
                         and $-64, XSP; movaps %xmm0, (XSP); mov XDX, 64(XSP)),
     CODE(mov 64(XSP), XDX; mov XBP, XSP; .cfi_def_cfa_register XSP; GIVE XBP))
/* enter $64, $0 and leave; the assembler takes their names for our macros. */
#define ENTER_64 .byte 0xc8, 64, 0, 0
#define LEAVE_64 .byte 0xc9
COPY(entered, CODE(ENTER_64; mov XDX, -8(XBP)), CODE(mov -8(XBP), XDX; LEAVE_64))
COPY(pushed_flags, CODE(pushf; std; cld), CODE(popf))
COPY(called, CODE(call NAMED(below_callee)), )
COPY(popped_into_stack, CODE(KEEP XDX; KEEP XDX; GIVE (XSP); GIVE XDX), )
COPY(addresses_only, CODE(lea -512(XSP), XCX; prefetcht0 -512(XSP); nopl -512(XSP); mov XDX, XCX), )
COPY(arguments_read, , CODE(mov (XSP), XCX; mov WORD(XSP), XCX))
#ifdef __i386__
COPY(all_pushed, pusha, popa)
#endif

FUNC(NAMED(below_callee))
        KEEP    XDX
        sub     $32, XSP
        .cfi_adjust_cfa_offset 32
        mov     XDX, (XSP)
        add     $32, XSP
        .cfi_adjust_cfa_offset -32
        GIVE    XDX
        ret
END_FUNC(NAMED(below_callee))
NO_EXEC_STACK
