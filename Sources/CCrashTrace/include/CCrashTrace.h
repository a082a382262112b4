#ifndef EARSHOT_CRASH_TRACE_H
#define EARSHOT_CRASH_TRACE_H

/// Writes the stack of the calling thread, for a handler of a crash signal: all of it to the log, and its top to `messages`.
/// On macOS nothing is written, because the system makes a report of each crash.
///
/// A child process does it, because most of it is not async-signal-safe (signal-safety(7)). If the child crashes too, or
/// hangs for 5 seconds, the rest is missing.
///
/// - Parameter title: the first line, without the number of the signal.
/// - Parameter log: the path of the log file. NULL: everything goes to `messages`.
void earshot_crash_trace(int signal, const char *_Nonnull title, const char *_Nullable log, int messages);

#endif
