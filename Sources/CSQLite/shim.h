#include <sqlite3.h>

/* What SQLite only offers through variadic functions and file methods, which Swift cannot call. */

/* Distrusts the content of a database file: its schema cannot call functions with side effects, SQL cannot damage the
   file on purpose, and no extension can be loaded. https://www.sqlite.org/security.html, section 1 */
static inline int earshot_distrust(sqlite3 *db) {
  int rc = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (rc == SQLITE_OK) rc = sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  return rc;
}

/* Flushes the write-ahead log to the disk, through the VFS that opened it. The connection must have read or written
   before, else it has not opened its log. https://www.sqlite.org/c3ref/io_methods.html */
static inline int earshot_sync_log(sqlite3 *db) {
  sqlite3_file *log = 0;
  int rc = sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (rc != SQLITE_OK) return rc;
  if (log == 0 || log->pMethods == 0) return SQLITE_NOTFOUND;
  return log->pMethods->xSync(log, SQLITE_SYNC_FULL | SQLITE_SYNC_DATAONLY);
}
