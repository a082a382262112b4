#include "RecordingVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  const char *name;
} RecordedFile;

static sqlite3_vfs *real_vfs;
static int log_descriptor = -1;
/* An operation and its note are one step: the order of the notes is that of the operations. */
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;

static void put(const void *bytes, size_t count) {
  const char *rest = bytes;
  while (count > 0) {
    ssize_t written = write(log_descriptor, rest, count);
    if (written <= 0) _exit(99); /* A recording with a hole proves nothing. */
    rest += written;
    count -= (size_t)written;
  }
}

static void note(int kind, const char *name, long long place, const void *bytes, long long length) {
  RecordHeader header;
  memset(&header, 0, sizeof header);
  header.kind = kind;
  header.name_length = name ? (int)strlen(name) : 0;
  header.place = place;
  header.length = length;
  put(&header, sizeof header);
  if (name) put(name, strlen(name));
  if (length > 0) put(bytes, (size_t)length);
}

void recording_vfs_mark(long long number) {
  pthread_mutex_lock(&order);
  note(RECORD_MARK, 0, number, 0, 0);
  pthread_mutex_unlock(&order);
}

#define REAL(file) (((RecordedFile *)(file))->real)

static int rec_close(sqlite3_file *file) { return REAL(file)->pMethods->xClose(REAL(file)); }
static int rec_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 place) {
  return REAL(file)->pMethods->xRead(REAL(file), bytes, count, place);
}
static int rec_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 place) {
  RecordedFile *recorded = (RecordedFile *)file;
  pthread_mutex_lock(&order);
  int rc = recorded->real->pMethods->xWrite(recorded->real, bytes, count, place);
  if (rc == SQLITE_OK && recorded->name) note(RECORD_WRITE, recorded->name, place, bytes, count);
  pthread_mutex_unlock(&order);
  return rc;
}
static int rec_truncate(sqlite3_file *file, sqlite3_int64 size) {
  RecordedFile *recorded = (RecordedFile *)file;
  pthread_mutex_lock(&order);
  int rc = recorded->real->pMethods->xTruncate(recorded->real, size);
  if (rc == SQLITE_OK && recorded->name) note(RECORD_TRUNCATE, recorded->name, size, 0, 0);
  pthread_mutex_unlock(&order);
  return rc;
}
static int rec_sync(sqlite3_file *file, int flags) {
  RecordedFile *recorded = (RecordedFile *)file;
  pthread_mutex_lock(&order);
  int rc = recorded->real->pMethods->xSync(recorded->real, flags);
  if (rc == SQLITE_OK && recorded->name) note(RECORD_SYNC, recorded->name, 0, 0, 0);
  pthread_mutex_unlock(&order);
  return rc;
}
static int rec_size(sqlite3_file *file, sqlite3_int64 *size) {
  return REAL(file)->pMethods->xFileSize(REAL(file), size);
}
static int rec_lock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xLock(REAL(file), level); }
static int rec_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }
static int rec_check_lock(sqlite3_file *file, int *out) {
  return REAL(file)->pMethods->xCheckReservedLock(REAL(file), out);
}
static int rec_control(sqlite3_file *file, int operation, void *argument) {
  return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}
static int rec_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }
static int rec_traits(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }
static int rec_shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **out) {
  return REAL(file)->pMethods->xShmMap(REAL(file), region, size, extend, out);
}
static int rec_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}
static void rec_shm_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }
static int rec_shm_unmap(sqlite3_file *file, int remove) { return REAL(file)->pMethods->xShmUnmap(REAL(file), remove); }

/* Version 2: with shared memory, without memory mapping, which would write past us. */
static const sqlite3_io_methods methods = {
    2,           rec_close,       rec_read,      rec_write,    rec_truncate, rec_sync,        rec_size,     rec_lock,
    rec_unlock,  rec_check_lock,  rec_control,   rec_sector,   rec_traits,   rec_shm_map,     rec_shm_lock, rec_shm_barrier,
    rec_shm_unmap, 0, 0};

static int rec_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  RecordedFile *recorded = (RecordedFile *)file;
  (void)vfs;
  recorded->real = (sqlite3_file *)(recorded + 1);
  /* SQLite keeps the name for as long as the file is open. Temporary files are no part of the library. */
  recorded->name = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) ? name : 0;
  int rc = real_vfs->xOpen(real_vfs, name, recorded->real, flags, out);
  recorded->base.pMethods = recorded->real->pMethods ? &methods : 0;
  return rc;
}
static int rec_delete(sqlite3_vfs *vfs, const char *name, int sync_directory) {
  (void)vfs;
  pthread_mutex_lock(&order);
  int rc = real_vfs->xDelete(real_vfs, name, sync_directory);
  if (rc == SQLITE_OK) note(RECORD_DELETE, name, 0, 0, 0);
  pthread_mutex_unlock(&order);
  return rc;
}

int recording_vfs_install(int log) {
  static sqlite3_vfs vfs;
  real_vfs = sqlite3_vfs_find(0);
  if (real_vfs == 0) return SQLITE_ERROR;
  log_descriptor = log;
  vfs = *real_vfs;
  vfs.zName = "recording";
  vfs.pNext = 0;
  vfs.szOsFile = (int)sizeof(RecordedFile) + real_vfs->szOsFile;
  vfs.xOpen = rec_open;
  vfs.xDelete = rec_delete;
  return sqlite3_vfs_register(&vfs, 1);
}
