/* SPDX-License-Identifier: MIT */
/*
 * check.h - from what was observed to which promises are broken
 *
 * Every check is a pure function of a contract and a group of outcomes; none runs a
 * kernel, allocates, or reads anything else.  To add one: a row in check.c's table,
 * a rule in rules.def, a specimen, a twin, table rows in verify/self.
 *
 * Depends on: contract, outcome, report/finding.h.
 */
#ifndef FNP_VERIFY_CHECK_H
#define FNP_VERIFY_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "report/finding.h"
#include "run/outcome.h"
#include "subject/contract.h"
#include "x86/cpuid.h"

enum {
    FNP_JUNK_VARIANTS = 5
};

/*
 * A base outcome and the same case with one thing changed each.  Variants are only
 * run when the base is suspicious; NULL means not run.  Base and variants are run with
 * the same flags, or what only a thorough run sees would seem to come and go.
 */
struct fnp_group {
    const struct fnp_outcome *base;
    /* Other junk in caller-saved registers, upper = zero, or both. */
    const struct fnp_outcome *junk[FNP_JUNK_VARIANTS];
    /* Default mxcsr, fcw, x87 and ymm state, contents no FP unit would alter. */
    const struct fnp_outcome *neutral;
    /* The same case over other old destination bytes; seed or value may differ too. */
    const struct fnp_outcome *other;
    /* No instruction of the code computes on FP values, so it cannot be lossy. */
    bool integer_only;
};

enum {
    FNP_CHECK_MAX = 16
};

/*
 * Region of the finding that a call met something the loader cannot give.  It is none of
 * the kernel's faults: the verdict stays open, and the message says why.
 */
#define FNP_REGION_NAME_REFUSED "refused"

/*
 * Everything wrong with the base outcome alone, worst and earliest first (the order is
 * that of the table in check.c).  A skipped case has no findings.  Fills
 * rule, severity, message, region, first, count, reg, want, got.  This is also the
 * workers' screen (count > 0).
 */
size_t fnp_check_outcome(const struct fnp_contract *contract,
                         const struct fnp_outcome *outcome,
                         struct fnp_finding out[FNP_CHECK_MAX]);

/* Same answer as fnp_check_outcome(...) > 0, as fast as possible. */
bool fnp_check_screen(const struct fnp_contract *contract,
                      const struct fnp_outcome *outcome);

/*
 * The one finding that stands for the group: the worst of the base, renamed to
 * undeclared-input when it vanishes or changes with junk or old bytes, or to
 * lossy-copy when the neutral variant is right; the other rules go to `also`.
 * False when the base is clean.
 */
bool fnp_check_group(const struct fnp_contract *contract, const struct fnp_group *group,
                     struct fnp_finding *out);

/*
 * The same, but findings whose final rule is in skip[0, FNP_N_RULES) are passed over
 * (--skip, waived rules); the next one of the case stands for it.  They are not named
 * in `also` either.  NULL: none is.
 */
bool fnp_check_group_except(const struct fnp_contract *contract,
                            const struct fnp_group *group, const bool *skip,
                            struct fnp_finding *out);

/*
 * Does the code need a CPU feature outside the declared `cpu` set?  `needs` comes from
 * the scan of the decoded code.  Always false when `cpu` was not declared.
 */
bool fnp_check_cpu(const struct fnp_contract *contract, fnp_features needs,
                   struct fnp_finding *out);

/*
 * Does an `allow` of the contract cover this finding?  An entry with a symbol needs
 * finding->where.  Sets *reason (NULL when none was given) and *index, the entry in
 * contract->allows; both may be NULL.
 */
bool fnp_finding_waived(const struct fnp_contract *contract,
                        const struct fnp_finding *finding, const char **reason,
                        size_t *index);

/* Same broken promise at the same place?  For deduplication and shrinking. */
bool fnp_finding_same(const struct fnp_finding *a, const struct fnp_finding *b);

#endif
