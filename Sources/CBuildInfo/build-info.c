// Package.swift defines the two names from the environment, which scripts/version fills. They reach the program through C
// because a Swift compiler flag holds no value, and because only this file is compiled again for another commit.
#include "CBuildInfo.h"

#ifndef EARSHOT_COMMIT
#define EARSHOT_COMMIT ""
#endif
#ifndef EARSHOT_DATE
#define EARSHOT_DATE ""
#endif

const char *earshot_build_commit(void) { return EARSHOT_COMMIT; }
const char *earshot_build_date(void) { return EARSHOT_DATE; }
