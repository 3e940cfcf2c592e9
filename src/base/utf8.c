/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include "base/status.h"

/* Well-formed UTF-8: first byte, then the range of the second (Unicode, table 3-7). */
static const struct {
    unsigned char lo, hi, second_lo, second_hi;
    unsigned len;
} sequences[] = {
    { 0x01, 0x7f, 0x00, 0xff, 1 },
    { 0xc2, 0xdf, 0x80, 0xbf, 2 },
    { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
    { 0xe1, 0xec, 0x80, 0xbf, 3 },
    { 0xed, 0xed, 0x80, 0x9f, 3 },
    { 0xee, 0xef, 0x80, 0xbf, 3 },
    { 0xf0, 0xf0, 0x90, 0xbf, 4 },
    { 0xf1, 0xf3, 0x80, 0xbf, 4 },
    { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

size_t fnp_utf8_len(const unsigned char *p)
{
    size_t i = 0;

    while (i < FNP_ARRAY_LEN(sequences) &&
           (p[0] < sequences[i].lo || p[0] > sequences[i].hi)) {
        i++;
    }
    if (i == FNP_ARRAY_LEN(sequences) || p[1] < sequences[i].second_lo ||
        p[1] > sequences[i].second_hi) {
        return 0;
    }
    for (unsigned k = 2; k < sequences[i].len; k++) {
        if ((p[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return sequences[i].len;
}
