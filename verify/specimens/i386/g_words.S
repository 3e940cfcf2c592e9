/* SPDX-License-Identifier: MIT */
/*
 * g_words - the copies of ../g_words.S in 32-bit code; NO_EXEC_STACK is there, too
 */
#include "verify/specimens/g_words.S"
