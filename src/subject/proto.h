/* SPDX-License-Identifier: MIT */
/*
 * proto.h - a C prototype whose buffers carry their extents
 *
 *     void *memcpy(void dst[n], const void src[n], size_t n)
 *     void  clear(uint64_t dst[n*8 + 64], int c, size_t n/8, 0)
 *
 * An extent counts elements of the declared type (void: 1 byte) and is a sum of
 * products of one size variable and constants.  The parameter named like the variable
 * is the length; "n/8" passes n / 8; a number is a constant; other integers are values.
 *
 * Depends on: contract.
 */
#ifndef FNP_SUBJECT_PROTO_H
#define FNP_SUBJECT_PROTO_H

#include "base/status.h"
#include "subject/contract.h"

/*
 * Fill params, bufs, n_values, has_n, what the prototype itself says of the return
 * value, and the sizes that the length parameter can carry.  FNP_INPUT with one
 * sentence that begins with `where`; `out` is then half filled.
 */
enum fnp_status fnp_proto_parse(const char *text, const char *where,
                                struct fnp_contract *out, struct fnp_err *err);

#endif
