/* SPDX-License-Identifier: MIT */
/*
 * where.h - the place in the code an outcome points at
 *
 * Depends on: kernel, outcome, finding.
 */
#ifndef FNP_VERIFY_WHERE_H
#define FNP_VERIFY_WHERE_H

#include "report/finding.h"
#include "run/outcome.h"
#include "subject/kernel.h"

/* Symbol, offset and instruction of a fault; nothing is known for a normal return. */
void fnp_where_fill(const struct fnp_kernel *kernel, const struct fnp_outcome *outcome,
                    struct fnp_where *out);

/* The same for an address in the kernel's code. */
void fnp_where_at(const struct fnp_kernel *kernel, uint64_t rip, struct fnp_where *out);

/*
 * The kernel's name and file and, with `source`, the line of its first instruction
 * where the object has debug information (looking it up costs a process).
 */
struct fnp_origin fnp_where_origin(const struct fnp_kernel *kernel, bool source);

#endif
