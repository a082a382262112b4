// Package.swift defines the two macros from environment variables, which scripts/version sets. C is used because a
// Swift compiler flag cannot hold a value, and because only this file is recompiled for another commit.
#include "CBuildInfo.h"

#ifndef EARSHOT_COMMIT
#define EARSHOT_COMMIT ""
#endif
#ifndef EARSHOT_DATE
#define EARSHOT_DATE ""
#endif

const char *earshot_build_commit(void) { return EARSHOT_COMMIT; }
const char *earshot_build_date(void) { return EARSHOT_DATE; }
