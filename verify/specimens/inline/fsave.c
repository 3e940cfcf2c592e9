/* SPDX-License-Identifier: MIT */
/*
 * fsave - page copies through MMX registers that save the x87 unit first
 *
 *     void fsave_FAULT(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap; fsave_as_*: x87 empty at return and
 *           its control word kept; *femms: every x87 and MMX bit kept
 */
#include "kernels/inline/x87_save.h"

struct page {
    unsigned char bytes[PAGE];
};

/* What fnsave stores. */
struct unit {
    unsigned short control;
    unsigned char rest[106];
};

/* The control word behind fnsave. */
enum {
    INITIAL = 0x37f
};

/* The registers of the x87 stack; the MMX registers are parts of them. */
#define STACK "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"

void fsave_as_input(void *dst, const void *src);
void fsave_as_output(void *dst, const void *src);
void fsave_femms(void *dst, const void *src);
void fsave_no_femms(void *dst, const void *src);

static inline void copy(struct page *to, const struct page *from)
{
    unsigned char *dst = to->bytes;
    const unsigned char *src = from->bytes;
    unsigned blocks = PAGE / BLOCK;

    __asm__ __volatile__(
        LOOP(1, GROUPED_BLOCK("movq"), STEP_BOTH) "emms"
        : "=m"(*to), [dst] "+&r"(dst), [src] "+&r"(src), [blocks] "+&r"(blocks)
        : "m"(*from), [len] "i"(BLOCK)
        : "cc", STACK);
}

/* Of a caller's unit only the control word must survive, and mostly nothing need be done. */
static inline void give_back(const struct unit *unit)
{
    if (unit->control != INITIAL) {
        __asm__ __volatile__("fldcw %0" : : "m"(unit->control));
    }
}

/* To the compiler fnsave reads the unit, whose control word it therefore knows: gcc leaves
 * fldcw out. */
void fsave_as_input(void *dst, const void *src)
{
    struct unit unit = { .control = INITIAL };

    __asm__ __volatile__("fnsave %0" : : "m"(unit) : STACK);
    copy(dst, src);
    give_back(&unit);
}

void fsave_as_output(void *dst, const void *src)
{
    struct unit unit = { .control = INITIAL };

    __asm__ __volatile__("fnsave %0" : "=m"(unit) : : STACK);
    copy(dst, src);
    give_back(&unit);
}

/* frstor loads the tags: femms before it does nothing but need 3DNow!. */
void fsave_femms(void *dst, const void *src)
{
    unsigned blocks = PAGE / BLOCK;

    COPY_PAGE(dst, src, blocks, "", GROUPED_BLOCK("movntq"), FENCE "femms\n\t");
}

void fsave_no_femms(void *dst, const void *src)
{
    unsigned blocks = PAGE / BLOCK;

    COPY_PAGE(dst, src, blocks, "", GROUPED_BLOCK("movntq"), FENCE);
}
