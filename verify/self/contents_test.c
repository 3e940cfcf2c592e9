/* SPDX-License-Identifier: MIT */
/*
 * contents_test.c - the contents called special hold every class of values, each sign
 */
#include <string.h>

#include "run/contents.h"
#include "verify/self/tap.h"

enum class {
    ZERO,
    DENORMAL,
    PSEUDO_DENORMAL,
    NORMAL,
    UNNORMAL,
    INFINITE,
    PSEUDO_INFINITE,
    PSEUDO_NAN,
    SIGNALLING,
    QUIET,
    N_CLASSES
};

static const char *const names[N_CLASSES] = {
    "zeros",           "denormals",  "pseudo-denormals",  "normal numbers",
    "unnormals",       "infinities", "pseudo-infinities", "pseudo-NaNs",
    "signalling NaNs", "quiet NaNs",
};

/* A format of numbers: an exponent of `exponent` bits above the mantissa. */
struct format {
    const char *name;
    unsigned len, exponent, fraction;
    bool has_integer_bit;
};

static const struct format formats[] = {
    { "float",    4,  8,  23, false },
    { "double",   8,  11, 52, false },
    { "extended", 10, 15, 63, true  },
};

/* Intel SDM vol. 1, tables 4-3 and 8-3. */
static enum class classify(const struct format *f, const unsigned char *at,
                           bool *minus) {
    uint64_t mantissa = 0,
    top = 0,
    fraction = 0,
    exponent = 0; const uint64_t quiet = 1ull << (f->fraction - 1);
        const uint64_t most = (1ull << f->exponent) - 1; bool integer = false;

        memcpy(&mantissa, at, f->len < 8 ? f->len : 8);
        fraction = mantissa & ((1ull << f->fraction) - 1); if (f->has_integer_bit){
            memcpy(&top, at + 8, 2); integer = mantissa >> f->fraction;
}
else
{
    top = mantissa >> f->fraction;
}
exponent = top & most;
*minus = top > most;
if (!f->has_integer_bit)
    integer = exponent != 0;
if (exponent == 0)
    return integer ? PSEUDO_DENORMAL : fraction ? DENORMAL : ZERO;
if (exponent < most)
    return integer ? NORMAL : UNNORMAL;
if (!integer)
    return fraction ? PSEUDO_NAN : PSEUDO_INFINITE;
return fraction == 0 ? INFINITE : fraction & quiet ? QUIET : SIGNALLING;
}

static bool exists(const struct format *f, enum class c)
{
    return f->has_integer_bit || (c != PSEUDO_DENORMAL && c != UNNORMAL &&
                                  c != PSEUDO_INFINITE && c != PSEUDO_NAN);
}

int main(void)
{
    enum {
        LEN = 560
    };
    struct fnp_contents contents = { { NULL } };
    struct fnp_case c = fnp_case_default();
    struct fnp_err err = { "" };
    const unsigned char *bytes = NULL;

    tap_ok(fnp_contents_make(&contents, &err) == FNP_OK, "contents %s", err.text);
    c.fill = FNP_FILL_SPECIAL;
    bytes = fnp_contents_of(&contents, &c, 1);
    for (size_t i = 0; i < FNP_ARRAY_LEN(formats); i++) {
        unsigned seen[N_CLASSES][2] = { { 0 } };

        for (size_t at = 0; at + formats[i].len <= LEN; at += formats[i].len) {
            bool minus = false;
            enum class class = classify(&formats[i], bytes + at, &minus);

            seen[class][minus]++;
        }
        for (unsigned k = 0; k < N_CLASSES; k++) {
            if (exists(&formats[i], k))
                tap_ok(seen[k][0] > 0 && seen[k][1] > 0, "%s: %s of both signs",
                       formats[i].name, names[k]);
        }
    }
    tap_ok(memcmp(bytes, bytes + LEN, 8 * LEN) == 0, "and again in each %d bytes", LEN);
    return tap_done();
}
