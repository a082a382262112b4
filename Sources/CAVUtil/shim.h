// SHA-1 from FFmpeg's libavutil. It is not linked but opened when needed, in exactly the major version of these
// headers.
#ifndef EARSHOT_CAVUTIL_SHIM_H
#define EARSHOT_CAVUTIL_SHIM_H

#include <dlfcn.h>
#include <libavutil/mem.h>
#include <libavutil/sha.h>
#include <libavutil/version.h>
#include <stddef.h>
#include <stdint.h>

enum { EARSHOT_AVUTIL_MAJOR = LIBAVUTIL_VERSION_MAJOR };

/// Writes the SHA-1 of `count` bytes to the 20 bytes of `digest`. `library` is libavutil, opened. Returns 0, or 1 if
/// a function is missing or memory is exhausted.
static inline int earshot_sha1(
    void *_Nonnull library, const uint8_t *_Nonnull bytes, size_t count, uint8_t *_Nonnull digest) {
  __typeof__(av_sha_alloc) *alloc = (__typeof__(av_sha_alloc) *)dlsym(library, "av_sha_alloc");
  __typeof__(av_sha_init) *init = (__typeof__(av_sha_init) *)dlsym(library, "av_sha_init");
  __typeof__(av_sha_update) *update = (__typeof__(av_sha_update) *)dlsym(library, "av_sha_update");
  __typeof__(av_sha_final) *final = (__typeof__(av_sha_final) *)dlsym(library, "av_sha_final");
  __typeof__(av_free) *release = (__typeof__(av_free) *)dlsym(library, "av_free");
  if (alloc == NULL || init == NULL || update == NULL || final == NULL || release == NULL) return 1;
  struct AVSHA *context = alloc();
  if (context == NULL) return 1;
  int result = init(context, 160) == 0 ? 0 : 1;
  if (result == 0) {
    update(context, bytes, count);
    final(context, digest);
  }
  release(context);
  return result;
}

#endif
