/* SPDX-License-Identifier: MIT */
/*
 * g_order - the copies of ../g_order.S in 32-bit code; NO_EXEC_STACK is there, too
 */
#include "verify/specimens/g_order.S"
