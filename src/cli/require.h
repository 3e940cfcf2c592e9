/* SPDX-License-Identifier: MIT */
/*
 * require.h - `--require LIST`: checks without which a kernel cannot pass
 *
 * Depends on: base, report/finding.h.
 */
#ifndef FNP_CLI_REQUIRE_H
#define FNP_CLI_REQUIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "report/finding.h"

/* "order,footprint,coverage", also "bytes" and "state"; else FNP_INPUT. */
enum fnp_status fnp_require_parse(const char *text, bool required[FNP_N_CHECK_GROUPS],
                                  struct fnp_err *err);

/*
 * Turn a pass into inconclusive when a required group is not "ok"; true when it did.
 * The reason is written to `text`, which the report then points at.
 */
bool fnp_require_apply(const bool required[FNP_N_CHECK_GROUPS],
                       struct fnp_kernel_report *report, char *text, size_t cap);

#endif
