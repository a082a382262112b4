// Tells the thread sanitizer about the contended case of Swift's Mutex on Linux. A free Mutex is locked and unlocked inside
// the program, where the sanitizer sees it. A Mutex that another thread holds is locked and unlocked in
// libswiftSynchronization, which was not built with the sanitizer. It then misses the order of the two threads, and
// reports data that a Mutex protects. scripts/sanitize loads this library before the others, so that both functions are
// replaced by functions that report the order to the sanitizer.
// The functions: https://github.com/swiftlang/swift/blob/main/stdlib/public/Synchronization/Mutex/LinuxImpl.swift
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Weak, because programs that a test starts have no sanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef SWIFT void (*Lock)(uint32_t thread, SELF);
typedef SWIFT void (*Unlock)(SELF);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

static Lock real_lock;
static Unlock real_unlock;

__attribute__((constructor)) static void find(void) {
  real_lock = (Lock)dlsym(RTLD_NEXT, LOCK);
  real_unlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock_slow(uint32_t thread, SELF) {
  real_lock(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  if (__tsan_release) __tsan_release(self);
  real_unlock(self);
}
