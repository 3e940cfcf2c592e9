/* SPDX-License-Identifier: MIT */
/*
 * g_below - the copies of ../g_below.S in 32-bit code; NO_EXEC_STACK is there, too
 */
#include "verify/specimens/g_below.S"
