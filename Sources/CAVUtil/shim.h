// FFmpeg's libavutil: which versions of FFmpeg's libraries are used, and SHA-1. They are not linked but opened when needed.
#ifndef EARSHOT_CAVUTIL_SHIM_H
#define EARSHOT_CAVUTIL_SHIM_H

#include <dlfcn.h>
#include <libavutil/mem.h>
#include <libavutil/sha.h>
#include <stddef.h>
#include <stdint.h>

/// The releases of FFmpeg whose libraries are used. A package that was built with one of them also finds the others.
enum { EARSHOT_FFMPEG_OLDEST = 5, EARSHOT_FFMPEG_NEWEST = 9 };

/// The major versions of the libraries in a release: 5.0 has avcodec 59, avutil 57 and swscale 6, and so on up to 9.0
/// with 63, 61 and 10.
static inline int earshot_avcodec_major(int release) { return release + 54; }
static inline int earshot_avutil_major(int release) { return release + 52; }
static inline int earshot_swscale_major(int release) { return release + 1; }

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
