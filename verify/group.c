/* SPDX-License-Identifier: MIT */
#include "verify/group.h"

enum fnp_check_group fnp_rule_group(enum fnp_rule rule)
{
    switch (rule) {
    case FNP_RULE_WRONG_BYTES:
    case FNP_RULE_LOSSY_COPY:
    case FNP_RULE_UNDECLARED_INPUT:
    case FNP_RULE_BAD_RETURN:
        return FNP_CHECK_BYTES;
    case FNP_RULE_STRAY_WRITE:
    case FNP_RULE_STRAY_READ:
    case FNP_RULE_SOURCE_CHANGED:
    case FNP_RULE_BELOW_STACK:
    case FNP_RULE_STACK_SMASHED:
    case FNP_RULE_RESTORED_WRITE:
    case FNP_RULE_REWRITTEN:
    case FNP_RULE_TORN_WRITE:
        return FNP_CHECK_FOOTPRINT;
    case FNP_RULE_FENCE_MISSING:
        return FNP_CHECK_ORDER;
    default:
        return FNP_CHECK_STATE;
    }
}
