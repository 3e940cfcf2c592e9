/* SPDX-License-Identifier: MIT */
/*
 * group.h - which group of checks a rule belongs to
 *
 * Depends on: report/finding.h.
 */
#ifndef FNP_VERIFY_GROUP_H
#define FNP_VERIFY_GROUP_H

#include "report/finding.h"

/* The group whose state a finding of this rule spoils. */
enum fnp_check_group fnp_rule_group(enum fnp_rule rule);

#endif
