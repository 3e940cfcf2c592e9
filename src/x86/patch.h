/* SPDX-License-Identifier: MIT */
/*
 * patch.h - the same code without its fences, byte for byte as long
 *
 * For the twin of a kernel that shows what its fences are good for: it computes the same
 * and orders nothing.  It writes bytes and runs none.
 *
 * Depends on: base/arena.h, effect.
 */
#ifndef FNP_X86_PATCH_H
#define FNP_X86_PATCH_H

#include "base/arena.h"
#include "x86/scan.h"

enum fnp_patch_kind {
    FNP_PATCH_NOPED,    /* a nop stands there */
    FNP_PATCH_UNLOCKED, /* a nop stands for the lock prefix, then the rest follows */
    FNP_PATCH_KEPT,     /* it still is a fence; `why` says why */
};

struct fnp_patch_site {
    uint64_t addr;
    uint8_t len;
    uint8_t kind; /* enum fnp_patch_kind */
    const char *why;
};

struct fnp_patch {
    unsigned char *bytes; /* as many as the code has */
    struct fnp_patch_site *sites;
    size_t n_sites, n_kept;
    bool indirect; /* an indirect jump or call was met: there may be more sites */
};

/*
 * Take the fences out of what direct branches reach from `starts`; those that are not in
 * the code are passed over.  What `out` points to is owned by the arena.
 */
void fnp_patch_unfence(struct fnp_arena *arena, const struct fnp_code *code,
                       const uint64_t *starts, size_t n_starts, struct fnp_patch *out);

#endif
