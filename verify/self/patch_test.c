/* SPDX-License-Identifier: MIT */
/*
 * patch_test.c - does code without its fences compute the same, and are they gone?
 *
 * Each piece of patch_code.S runs as it is and patched, from the same random states.
 */
#include <string.h>

#include "base/rng.h"
#include "base/status.h"
#include "verify/self/effect_machine.h"
#include "verify/self/tap.h"
#include "x86/cpuid.h"
#include "x86/effect.h"
#include "x86/patch.h"

enum {
    STATES = 8,
    MAX_LETTERS = 16
};

struct piece {
    const unsigned char *code, *end;
    const char *letters;
    uint64_t bits;
};
extern const struct piece patch_pieces[], patch_pieces_end[];

static struct fnp_code code_of(const struct piece *p)
{
    return (struct fnp_code){ .bytes = p->code,
                              .len = (size_t)(p->end - p->code),
                              .addr = INSN,
                              .is32 = p->bits == 32 };
}

static void make_state(uint64_t seed, struct effect_state *s)
{
    struct fnp_rng rng = { seed };
    const uint32_t mxcsr = 0x1f80;

    *s = (struct effect_state){ .flags = 2 };
    memcpy(s->x + 24, &mxcsr, sizeof(mxcsr));
    for (unsigned i = 0; i < FNP_N_GPRS; i++)
        s->gpr[i] = (uint32_t)fnp_rng_next(&rng);
    for (unsigned i = 0; i < EFFECT_SLOT_LEN; i++)
        s->memory[0][i] = (unsigned char)fnp_rng_next(&rng);
    s->gpr[FNP_RCX] &= 63;
    s->gpr[FNP_RDI] = EDGE(0);
    s->gpr[FNP_RSP] = EDGE(1);
}

/* The kinds of its sites by address, as patch_code.S writes them. */
static void letters_of(const struct piece *p, const struct fnp_patch *patch,
                       char out[MAX_LETTERS])
{
    static const char letters[] = { 'n', 'u', 'k' };
    size_t n = 0;

    for (uint64_t at = INSN; at < INSN + (uint64_t)(p->end - p->code); at++) {
        for (size_t i = 0; i < patch->n_sites && n < MAX_LETTERS - 2; i++) {
            if (patch->sites[i].addr == at)
                out[n++] = letters[patch->sites[i].kind];
        }
    }
    if (patch->indirect)
        out[n++] = '?';
    out[n] = '\0';
}

/* Whatever is not kept orders nothing any more, and nothing else was changed. */
static bool is_clean(const struct piece *p, const struct fnp_patch *patch)
{
    struct fnp_code code = code_of(p);
    size_t n_kept = 0;
    bool ok = true;

    for (uint64_t at = INSN; at - INSN < code.len; at++) {
        bool in_site = false;

        for (size_t i = 0; i < patch->n_sites; i++)
            in_site |= at - patch->sites[i].addr < patch->sites[i].len &&
                       patch->sites[i].kind != FNP_PATCH_KEPT;
        ok &= in_site || code.bytes[at - INSN] == patch->bytes[at - INSN];
    }
    code.bytes = patch->bytes;
    for (size_t i = 0; i < patch->n_sites; i++) {
        const struct fnp_patch_site *s = &patch->sites[i];
        struct fnp_effect e;

        for (uint64_t at = s->addr; at < s->addr + s->len; at += e.len ? e.len : 1) {
            ok &= fnp_effect_of(&code, at, &e);
            ok &= s->kind == FNP_PATCH_KEPT || e.order != FNP_ORDERS_FENCE;
        }
        n_kept += s->kind == FNP_PATCH_KEPT;
        ok &= (s->kind == FNP_PATCH_KEPT) == (s->why != NULL);
    }
    return ok && n_kept == patch->n_kept;
}

static bool computes_the_same(const struct piece *p, const struct fnp_patch *patch)
{
    static struct effect_state before, plain, patched;
    struct fnp_code code = code_of(p);
    bool ok = true;

    for (uint64_t seed = 1; seed <= STATES; seed++) {
        struct effect_end a, b;

        make_state(seed, &before);
        a = effect_machine_run(p->code, code.len, code.is32, &before, NULL, &plain);
        b = effect_machine_run(patch->bytes, code.len, code.is32, &before, NULL,
                               &patched);
        ok = ok && !a.sig && !b.sig && !memcmp(&plain, &patched, sizeof(plain));
    }
    return ok;
}

static void test_piece(const struct piece *p)
{
    struct fnp_arena arena = { 0 };
    const struct fnp_code code = code_of(p);
    const uint64_t starts[] = { INSN, INSN + 4096, INSN };
    struct fnp_patch patch;
    char letters[MAX_LETTERS];
    const unsigned bits = (unsigned)p->bits;
    const int i = (int)(p - patch_pieces);

    fnp_patch_unfence(&arena, &code, starts, FNP_ARRAY_LEN(starts), &patch);
    letters_of(p, &patch, letters);
    tap_ok(!strcmp(letters, p->letters), "%u: piece %d: '%s' is '%s'", bits, i, letters,
           p->letters);
    tap_ok(is_clean(p, &patch), "%u: piece %d: only fences went", bits, i);
    if (code.is32 && !fnp_cpu()->compat)
        tap_ok(true, "%u: piece %d # skip no 32-bit code", bits, i);
    else
        tap_ok(computes_the_same(p, &patch), "%u: piece %d computes the same", bits, i);
    fnp_arena_release(&arena);
}

int main(void)
{
    effect_machine_open();
    for (const struct piece *p = patch_pieces; p < patch_pieces_end; p++)
        test_piece(p);
    return tap_done();
}
