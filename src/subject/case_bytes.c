/* SPDX-License-Identifier: MIT */
/*
 * case_bytes.c - the byte record v1 that fuzzing engines mutate
 *
 * Offsets are fixed for ever.  Every byte string decodes: values wrap into their
 * range, so no mutation is wasted, and zero is always the simplest choice.
 */
#include <string.h>

#include "subject/case.h"

/* Where each field starts; little endian.  Gaps are reserved and ignored. */
enum at {
    AT_N = 0,         /* 2: bits 0..15 */
    AT_DST = 2,       /* 1: 0 not given, 1..63, 64 means 0; the rest modulo 64 */
    AT_SRC = 3,       /* 1: like dst */
    AT_RELATION = 4,  /* 1: enum spelling, modulo 6 */
    AT_DISTANCE = 5,  /* 2: bits 0..15 of the magnitude */
    AT_PLACE_DST = 7, /* 1: modulo 4 */
    AT_PLACE_SRC = 8,
    AT_LINE_DST = 9, /* 1: modulo 64 */
    AT_LINE_SRC = 10,
    AT_FILL = 11,   /* 1: a fill, else modulo 8 */
    AT_SEED = 12,   /* 4 */
    AT_VALUE = 16,  /* 8 */
    AT_REPEAT = 24, /* 1: modulo 8 */
    AT_UPPER = 25,  /* 1: modulo 3 */
    AT_JUNK = 26,   /* 1 */
    AT_THIRD = 27,  /* 1: like dst */
    AT_PLACE_THIRD = 28,
    AT_LINE_THIRD = 29,
    AT_MXCSR = 30,         /* 2: xor default */
    AT_FCW = 32,           /* 2: xor default */
    AT_X87 = 34,           /* 1: modulo 10 */
    AT_YMM = 35,           /* 1: modulo 2 */
    AT_FIELD = 36,         /* 1: modulo 3 */
    AT_HUGE = 37,          /* 1: modulo 2 */
    AT_N_HIGH = 38,        /* 6: bits 16..63 */
    AT_DISTANCE_HIGH = 44, /* 2: bits 16..30 of the magnitude */
    AT_VALUE2 = 48,        /* 8 */
    AT_VALUE3 = 56,        /* 8 */
};

/* Sign and kind in one byte, so that each is one mutation away. */
enum spelling {
    NONE,
    ABOVE,
    BELOW,
    SAME,
    LAP_ABOVE,
    LAP_BELOW,
    N_SPELLINGS
};

static uint64_t get(const unsigned char *bytes, size_t at, size_t len)
{
    uint64_t value = 0;

    for (size_t i = len; i-- > 0;)
        value = value << 8 | bytes[at + i];
    return value;
}

static void put(unsigned char *bytes, size_t at, size_t len, uint64_t value)
{
    for (size_t i = 0; i < len; i++)
        bytes[at + i] = (unsigned char)(value >> 8 * i);
}

/* A byte is the offset itself, which lets constants from the code hit directly. */
static uint8_t offset_of(unsigned char byte)
{
    return byte == 0 ? 0 : (uint8_t)((byte & 63) + 1);
}

static unsigned char offset_byte(uint8_t offset)
{
    return (unsigned char)(offset == 1 ? 64 : offset > 0 ? offset - 1 : 0);
}

static void decode_relation(const unsigned char *bytes, struct fnp_case *c)
{
    unsigned spelling = bytes[AT_RELATION] % N_SPELLINGS;
    uint64_t magnitude =
        get(bytes, AT_DISTANCE, 2) | (get(bytes, AT_DISTANCE_HIGH, 2) & 0x7fff) << 16;

    if (spelling == NONE)
        return;
    c->relation = spelling <= SAME ? FNP_REL_DISTANCE : FNP_REL_LAP;
    if (spelling == SAME)
        return;
    c->distance = (int32_t)magnitude;
    if (spelling == BELOW || spelling == LAP_BELOW)
        c->distance = -c->distance;
}

void fnp_case_decode(const unsigned char *bytes, size_t len, struct fnp_case *out)
{
    static const uint8_t at_offset[3] = { AT_DST, AT_SRC, AT_THIRD };
    static const uint8_t at_place[3] = { AT_PLACE_DST, AT_PLACE_SRC, AT_PLACE_THIRD };
    static const uint8_t at_line[3] = { AT_LINE_DST, AT_LINE_SRC, AT_LINE_THIRD };
    unsigned char record[FNP_CASE_BYTES] = { 0 };

    if (len > 0)
        memcpy(record, bytes, len < sizeof(record) ? len : sizeof(record));
    *out = fnp_case_default();
    out->n = get(record, AT_N, 2) | get(record, AT_N_HIGH, 6) << 16;
    for (unsigned role = 0; role < 3; role++) {
        out->offset[role] = offset_of(record[at_offset[role]]);
        out->place[role] = record[at_place[role]] % FNP_N_PLACES;
        out->line[role] = record[at_line[role]] % 64;
    }
    decode_relation(record, out);
    out->field = record[AT_FIELD] % FNP_N_FIELDS;
    out->huge = record[AT_HUGE] % FNP_N_HUGES;
    /* The first eight fills wrapped before there were more; later ones must not move them. */
    out->fill = record[AT_FILL] < FNP_N_FILLS ? record[AT_FILL] : record[AT_FILL] % 8;
    out->seed = (uint32_t)get(record, AT_SEED, 4);
    out->value[0] = get(record, AT_VALUE, 8);
    out->value[1] = get(record, AT_VALUE2, 8);
    out->value[2] = get(record, AT_VALUE3, 8);
    out->upper = record[AT_UPPER] % FNP_N_UPPERS;
    out->junk = record[AT_JUNK];
    out->repeat = record[AT_REPEAT] % 8;
    out->mxcsr = (uint16_t)(get(record, AT_MXCSR, 2) ^ FNP_MXCSR_DEFAULT);
    out->fcw = (uint16_t)(get(record, AT_FCW, 2) ^ FNP_FCW_DEFAULT);
    /* The same holds for the last state of the x87 unit. */
    out->x87 = record[AT_X87] < FNP_N_X87 ? record[AT_X87] : record[AT_X87] % 10;
    out->ymm = record[AT_YMM] % 2;
    fnp_case_canonical(out);
}

static unsigned spelling_of(const struct fnp_case *c)
{
    switch (c->relation) {
    case FNP_REL_DISTANCE:
        return c->distance == 0 ? SAME : c->distance > 0 ? ABOVE : BELOW;
    case FNP_REL_LAP:
        return c->distance > 0 ? LAP_ABOVE : LAP_BELOW;
    default:
        return NONE;
    }
}

size_t fnp_case_encode(const struct fnp_case *c, unsigned char out[FNP_CASE_BYTES])
{
    int64_t distance = c->distance;
    uint64_t magnitude = (uint64_t)(distance < 0 ? -distance : distance);
    size_t len = FNP_CASE_BYTES;

    memset(out, 0, FNP_CASE_BYTES);
    put(out, AT_N, 2, c->n);
    put(out, AT_N_HIGH, 6, c->n >> 16);
    out[AT_DST] = offset_byte(c->offset[0]);
    out[AT_SRC] = offset_byte(c->offset[1]);
    out[AT_THIRD] = offset_byte(c->offset[2]);
    out[AT_PLACE_DST] = c->place[0];
    out[AT_PLACE_SRC] = c->place[1];
    out[AT_PLACE_THIRD] = c->place[2];
    out[AT_LINE_DST] = c->line[0];
    out[AT_LINE_SRC] = c->line[1];
    out[AT_LINE_THIRD] = c->line[2];
    out[AT_RELATION] = (unsigned char)spelling_of(c);
    put(out, AT_DISTANCE, 2, magnitude);
    put(out, AT_DISTANCE_HIGH, 2, magnitude >> 16);
    out[AT_FILL] = c->fill;
    put(out, AT_SEED, 4, c->seed);
    put(out, AT_VALUE, 8, c->value[0]);
    put(out, AT_VALUE2, 8, c->value[1]);
    put(out, AT_VALUE3, 8, c->value[2]);
    out[AT_REPEAT] = c->repeat;
    out[AT_UPPER] = c->upper;
    out[AT_JUNK] = c->junk;
    put(out, AT_MXCSR, 2, (uint64_t)(c->mxcsr ^ FNP_MXCSR_DEFAULT));
    put(out, AT_FCW, 2, (uint64_t)(c->fcw ^ FNP_FCW_DEFAULT));
    out[AT_X87] = c->x87;
    out[AT_YMM] = c->ymm;
    out[AT_FIELD] = c->field;
    out[AT_HUGE] = c->huge;
    while (len > 0 && out[len - 1] == 0)
        len--;
    return len;
}
