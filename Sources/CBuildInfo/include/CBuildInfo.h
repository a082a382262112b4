#ifndef EARSHOT_BUILD_INFO_H
#define EARSHOT_BUILD_INFO_H

/// The abbreviated commit of the build, with "-dirty" appended if files were changed. "" if the build did not set it.
const char *earshot_build_commit(void);

/// The date of that commit, such as 2026-11-22. "" if the build did not set it.
const char *earshot_build_date(void);

#endif
