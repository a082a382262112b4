#ifndef RECORDING_VFS_H
#define RECORDING_VFS_H

/* A VFS of SQLite that notes what is written, truncated, synced and deleted, in order. From these notes a test can make
   the files that a power cut would leave: what was not synced may be missing. https://www.sqlite.org/vfs.html */

/* Makes the recording VFS the default of this process. Notes are appended to `log`, a descriptor; see `RecordHeader`.
   Returns a code of SQLite. */
int recording_vfs_install(int log);

/* Notes a number of the test's own, between the operations before and after it. */
void recording_vfs_mark(long long number);

enum { RECORD_WRITE = 1, RECORD_TRUNCATE = 2, RECORD_SYNC = 3, RECORD_DELETE = 4, RECORD_MARK = 5 };

/* Stands before each note; the name of the file and the bytes that were written follow. */
typedef struct {
  int kind;
  int name_length;
  /* Of a write: where. Of a truncation: the new size. Of a mark: the number. */
  long long place;
  /* Bytes that were written. */
  long long length;
} RecordHeader;

#endif
