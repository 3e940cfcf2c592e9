/* SPDX-License-Identifier: MIT */
/*
 * nearest.c - edit distance with transpositions, for "did you mean"
 *
 * Never allocates; words longer than WORD_MAX bytes have no nearest name.
 */
#include "base/nearest.h"

#include <string.h>

#define WORD_MAX 64

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Insertions, deletions, substitutions and swaps of neighbours that turn `a` into
 * `b`.  Both are at most WORD_MAX bytes long.
 */
static size_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t rows[3][WORD_MAX + 1]; /* of i, i - 1 and i - 2, by i % 3 */

    for (size_t j = 0; j <= b_len; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_len; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];

        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(row[j], least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], rows[(i + 1) % 3][j - 2] + 1);
            }
        }
    }
    return rows[a_len % 3][b_len];
}

const char *fnp_nearest(const char *word, const char *const *names, size_t count)
{
    size_t len = strlen(word);
    size_t best = (len + 1) / 2; /* must be closer than this */
    const char *nearest = NULL;

    if (len > WORD_MAX) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        size_t name_len = names[i] ? strlen(names[i]) : 0;
        size_t d;

        if (!names[i] || name_len > WORD_MAX) {
            continue;
        }
        d = distance(word, len, names[i], name_len);
        if (d < best) {
            best = d;
            nearest = names[i];
        }
    }
    return nearest;
}
