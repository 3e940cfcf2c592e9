/* SPDX-License-Identifier: MIT */
/*
 * x87_save.h - page loops through MMX registers between FNSAVE and FRSTOR, as one statement
 *
 * The registers belong to a task that was interrupted, so they are saved first and come
 * back last.  In between a compiler must have no say: were the loop a statement of its
 * own, x87 or MMX code of the compiler's could stand before it.  FNSAVE writes all 108
 * bytes (Intel SDM vol. 1, 8.1.10), so all of them are the output operand; declared as an
 * input, or one byte long, the compiler may keep other things there.  After FRSTOR every
 * MMX register is what it was: none is clobbered.  FNSAVE, not FSAVE: a pending exception
 * is the task's and must not be raised here.
 *
 * Depends on: nothing.
 */
#ifndef FNP_KERNELS_INLINE_X87_SAVE_H
#define FNP_KERNELS_INLINE_X87_SAVE_H

struct x87_save {
    unsigned char bytes[108];
};

enum {
    PAGE = 4096,
    BLOCK = 64
};

/* clang-format off */
/* 64 bytes of mm0 to dst. */
#define ZERO_BLOCK(store)                                             \
    store " %%mm0,   (%[dst])\n\t"  store " %%mm0,  8(%[dst])\n\t"    \
    store " %%mm0, 16(%[dst])\n\t"  store " %%mm0, 24(%[dst])\n\t"    \
    store " %%mm0, 32(%[dst])\n\t"  store " %%mm0, 40(%[dst])\n\t"    \
    store " %%mm0, 48(%[dst])\n\t"  store " %%mm0, 56(%[dst])\n\t"

/* 8 bytes at `at` through a register, from and to memory. */
#define LOAD(at, reg)         "movq " #at "(%[src]), %%" #reg "\n\t"
#define STORE(store, at, reg) store " %%" #reg ", " #at "(%[dst])\n\t"
#define MOVE(store, at, reg)  LOAD(at, reg) STORE(store, at, reg)

/* 64 bytes: eight loads, then eight stores. */
#define GROUPED_BLOCK(store)                                          \
    LOAD( 0, mm0)         LOAD( 8, mm1)                               \
    LOAD(16, mm2)         LOAD(24, mm3)                               \
    LOAD(32, mm4)         LOAD(40, mm5)                               \
    LOAD(48, mm6)         LOAD(56, mm7)                               \
    STORE(store,  0, mm0) STORE(store,  8, mm1)                       \
    STORE(store, 16, mm2) STORE(store, 24, mm3)                       \
    STORE(store, 32, mm4) STORE(store, 40, mm5)                       \
    STORE(store, 48, mm6) STORE(store, 56, mm7)

/* 64 bytes: each load with its store behind it. */
#define INTERLEAVED_BLOCK(store)                                      \
    MOVE(store,  0, mm0)  MOVE(store,  8, mm1)                        \
    MOVE(store, 16, mm2)  MOVE(store, 24, mm3)                        \
    MOVE(store, 32, mm4)  MOVE(store, 40, mm5)                        \
    MOVE(store, 48, mm6)  MOVE(store, 56, mm7)

/* 64 bytes in two halves through four registers. */
#define HALVES_BLOCK(store)                                           \
    LOAD( 0, mm0)         LOAD( 8, mm1)                               \
    LOAD(16, mm2)         LOAD(24, mm3)                               \
    STORE(store,  0, mm0) STORE(store,  8, mm1)                       \
    STORE(store, 16, mm2) STORE(store, 24, mm3)                       \
    LOAD(32, mm0)         LOAD(40, mm1)                               \
    LOAD(48, mm2)         LOAD(56, mm3)                               \
    STORE(store, 32, mm0) STORE(store, 40, mm1)                       \
    STORE(store, 48, mm2) STORE(store, 56, mm3)

#define PREFETCH(at) "prefetchnta " #at "(%[src])\n\t"
#define FENCE        "sfence\n\t"

/* `step` a block at a time, from label `back` on, until none is left. */
#define LOOP(back, block, step)                                       \
    #back ":\n\t" block step                                          \
    "dec %[blocks]\n\t"                                               \
    "jnz " #back "b\n\t"

#define STEP_DST     "add %[len], %[dst]\n\t"
#define STEP_BOTH    "add %[len], %[src]\n\t" STEP_DST

/*
 * Copy a page: what comes before the loop, one block, what comes behind.  The pointers
 * and the count change while the operand of FRSTOR is still to be reached: "+&r".
 */
#define COPY_PAGE(dst, src, blocks, before, block, behind)            \
    do {                                                              \
        struct x87_save save;                                         \
                                                                      \
        __asm__ __volatile__(                                         \
            "fnsave %[save]\n\t"                                      \
            before                                                    \
            LOOP(1, block, STEP_BOTH)                                 \
            behind                                                    \
            "frstor %[save]"                                          \
            : [save] "=m"(save), [dst] "+&r"(dst), [src] "+&r"(src),  \
              [blocks] "+&r"(blocks)                                  \
            : [len] "i"(BLOCK)                                        \
            : "cc", "memory");                                        \
    } while (0)

/* Zero a page, likewise. */
#define CLEAR_PAGE(dst, blocks, block, behind)                        \
    do {                                                              \
        struct x87_save save;                                         \
                                                                      \
        __asm__ __volatile__(                                         \
            "fnsave %[save]\n\t"                                      \
            "pxor %%mm0, %%mm0\n\t"                                   \
            LOOP(1, block, STEP_DST)                                  \
            behind                                                    \
            "frstor %[save]"                                          \
            : [save] "=m"(save), [dst] "+&r"(dst),                    \
              [blocks] "+&r"(blocks)                                  \
            : [len] "i"(BLOCK)                                        \
            : "cc", "memory");                                        \
    } while (0)
/* clang-format on */

#endif
