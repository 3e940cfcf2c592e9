/* SPDX-License-Identifier: MIT */
/*
 * damage.h - cut and change a sound object, and look at what the loader answers
 *
 * OK or INPUT are the only answers, and INPUT brings one line.
 *
 * Depends on: tap.h, image, scan.
 */
#ifndef FNP_VERIFY_SELF_DAMAGE_H
#define FNP_VERIFY_SELF_DAMAGE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "subject/image.h"
#include "verify/self/tap.h"
#include "x86/scan.h"

#define DAMAGE_SECONDS 20 /* for a thousand copies; sound code needs under two */
#define DAMAGE_HEADER  64 /* bytes of an ELF header, worth extra blows */

/* Everything one does with an object; false on an answer that must not be. */
typedef bool (*damage_try)(const struct fnp_object *object);

static unsigned damage_n_ok, damage_n_input;

/* May the loader have answered this? */
static inline bool damage_answer(enum fnp_status status, const struct fnp_err *err)
{
    size_t len = strlen(err->text);

    damage_n_ok += status == FNP_OK;
    damage_n_input += status == FNP_INPUT;
    if (status == FNP_OK) {
        return true;
    }
    return status == FNP_INPUT && len > 0 && len < sizeof(err->text) &&
           !strpbrk(err->text, "\n\r\t\033");
}

/* Everything a loaded image is used for must hold too. */
static inline bool damage_use_image(const struct fnp_image *image)
{
    size_t avail = 0;
    const unsigned char *bytes = fnp_image_bytes(image, image->entry, &avail);
    char buffer[128];
    struct fnp_scan scan;

    if (!bytes || avail == 0 || image->n_segments > FNP_ARRAY_LEN(image->segments)) {
        return false;
    }

    const struct fnp_code code = {
        .bytes = bytes, .len = avail, .addr = image->entry, .is32 = image->is32
    };
    struct fnp_str out = fnp_str_over(buffer, sizeof(buffer));

    fnp_scan_code(&code, image->entry, &scan);
    (void)fnp_insn_text(&code, image->entry, &out);
    for (size_t i = 0; i < image->n_segments; i++) {
        (void)fnp_image_symbol(image, image->segments[i].addr);
        (void)fnp_image_symbol(image,
                               image->segments[i].addr + image->segments[i].len - 1);
    }
    return fnp_image_symbol(image, image->entry) != NULL;
}

/* Somewhere in bytes[0, len), rarely in what is only padding. */
static inline size_t damage_place(struct fnp_rng *rng, const unsigned char *bytes,
                                  size_t len)
{
    size_t range = fnp_rng_below(rng, 4) ? len : DAMAGE_HEADER;
    size_t at = fnp_rng_below(rng, range);

    for (unsigned i = 0; i < 4 && bytes[at] == 0; i++) {
        at = fnp_rng_below(rng, range);
    }
    return at;
}

/* Change what stands at bytes[at]: a bit, a byte, or a whole little-endian word. */
static inline void damage_strike(struct fnp_rng *rng, unsigned char *bytes, size_t len,
                                 size_t at)
{
    static const uint64_t words[] = { 0,          1,         0x7fffffff,
                                      0xffffffff, INT64_MAX, UINT64_MAX };
    size_t room = len - at < 8 ? len - at : 8;
    uint64_t word = words[fnp_rng_below(rng, FNP_ARRAY_LEN(words))];

    switch (fnp_rng_below(rng, 4)) {
    case 0:
        bytes[at] = (unsigned char)(bytes[at] ^ 1u << fnp_rng_below(rng, 8));
        break;
    case 1:
        bytes[at] = (unsigned char)fnp_rng_next(rng);
        break;
    case 2:
        memcpy(bytes + at, &word, room < 4 ? room : 4);
        break;
    default:
        memcpy(bytes + at, &word, room);
        break;
    }
}

/* Change one to four places. */
static inline void damage(struct fnp_rng *rng, unsigned char *bytes, size_t len)
{
    uint64_t blows = 1 + fnp_rng_below(rng, 4);

    while (blows--) {
        damage_strike(rng, bytes, len, damage_place(rng, bytes, len));
    }
}

/* A copy of exactly len bytes, so that a sanitizer sees a read past the end. */
static inline bool damage_try_bytes(damage_try try, const unsigned char *bytes,
                                    size_t len)
{
    unsigned char *copy = malloc(len ? len : 1);
    struct fnp_object object = { .path = "damaged.o", .bytes = copy, .len = len };
    bool ok;

    if (len) {
        memcpy(copy, bytes, len);
    }
    ok = try(&object);
    free(copy);
    return ok;
}

/* Every `step`th truncation. */
static inline void damage_cut(damage_try try, const struct fnp_object *sound,
                              size_t step)
{
    unsigned n_bad = 0;

    for (size_t len = 0; len < sound->len; len += step) {
        alarm(DAMAGE_SECONDS);
        n_bad += !damage_try_bytes(try, sound->bytes, len);
    }
    alarm(0);
    tap_ok(n_bad == 0, "%zu truncations: OK or one sentence", sound->len / step);
}

/* So many changed copies. */
static inline void damage_change(damage_try try, const struct fnp_object *sound,
                                 unsigned edits)
{
    struct fnp_rng rng = { 1 };
    unsigned char *bytes = malloc(sound->len);
    unsigned n_bad = 0;

    damage_n_ok = damage_n_input = 0;
    for (unsigned i = 0; i < edits; i++) {
        if (i % 1000 == 0) {
            alarm(DAMAGE_SECONDS);
        }
        memcpy(bytes, sound->bytes, sound->len);
        damage(&rng, bytes, sound->len);
        if (!damage_try_bytes(try, bytes, sound->len)) {
            n_bad++;
            printf("# edit %u is answered wrongly\n", i);
        }
    }
    alarm(0);
    tap_ok(n_bad == 0, "%u damaged copies: OK or one sentence", edits);
    tap_ok(damage_n_ok > edits && damage_n_input > edits / 4,
           "both answers were common: %u OK, %u INPUT", damage_n_ok, damage_n_input);
    free(bytes);
}

#endif
