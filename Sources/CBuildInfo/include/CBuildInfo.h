#ifndef EARSHOT_BUILD_INFO_H
#define EARSHOT_BUILD_INFO_H

/// The commit that was built, shortened, with "-dirty" behind it when files were changed; "" when the build was not told.
const char *earshot_build_commit(void);

/// The day of that commit, 2026-11-22; "" when the build was not told.
const char *earshot_build_date(void);

#endif
