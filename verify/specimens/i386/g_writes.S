/* SPDX-License-Identifier: MIT */
/*
 * g_writes - the copies of ../g_writes.S in 32-bit code; NO_EXEC_STACK is there, too
 */
#include "verify/specimens/g_writes.S"
