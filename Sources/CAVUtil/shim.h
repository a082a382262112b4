// A hash by FFmpeg's libavutil. Not linked but opened when it is needed, under the very name that these headers are of.
#ifndef EARSHOT_CAVUTIL_SHIM_H
#define EARSHOT_CAVUTIL_SHIM_H

#include <dlfcn.h>
#include <libavutil/mem.h>
#include <libavutil/sha.h>
#include <libavutil/version.h>
#include <stddef.h>
#include <stdint.h>

enum { EARSHOT_AVUTIL_MAJOR = LIBAVUTIL_VERSION_MAJOR };

/// SHA-1 of `count` bytes into the 20 bytes of `digest`. `library` is libavutil, open. Returns 0, or 1 when a function is
/// lacking or memory is out.
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
