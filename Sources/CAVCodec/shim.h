// Decodes pictures with FFmpeg's libavcodec and libswscale, which are installed wherever libmpv is. They are not
// linked but opened for the first picture, in any of the releases that CAVUtil names. So names stand here instead of
// numbers of codecs and formats, and options instead of fields of AVCodecContext. The fields of AVFrame and AVPacket
// that are read are at the same offsets in all of these releases, and a build with headers that differ fails.
#ifndef EARSHOT_CAVCODEC_SHIM_H
#define EARSHOT_CAVCODEC_SHIM_H

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if UINTPTR_MAX == UINT64_MAX
_Static_assert(offsetof(AVFrame, data) == 0 && offsetof(AVFrame, linesize) == 64, "AVFrame has changed");
_Static_assert(offsetof(AVFrame, width) == 104 && offsetof(AVFrame, height) == 108, "AVFrame has changed");
_Static_assert(offsetof(AVFrame, format) == 116, "AVFrame has changed");
_Static_assert(offsetof(AVPacket, data) == 24 && offsetof(AVPacket, size) == 32, "AVPacket has changed");
#endif

#define EARSHOT_AV_CODEC_FUNCTIONS(F) \
  F(avcodec_find_decoder_by_name)     \
  F(avcodec_alloc_context3)           \
  F(avcodec_free_context)             \
  F(avcodec_open2)                    \
  F(avcodec_send_packet)              \
  F(avcodec_receive_frame)            \
  F(av_packet_alloc)                  \
  F(av_packet_free)                   \
  F(av_new_packet)
#define EARSHOT_AV_UTIL_FUNCTIONS(F) \
  F(av_frame_alloc)                  \
  F(av_frame_free)                   \
  F(av_get_pix_fmt)                  \
  F(av_get_pix_fmt_name)             \
  F(av_opt_set_int)
#define EARSHOT_SWS_FUNCTIONS(F) \
  F(sws_getContext)              \
  F(sws_scale)                   \
  F(sws_freeContext)

typedef struct earshot_av {
#define EARSHOT_AV_MEMBER(name) __typeof__(name) *_Nonnull name;
  EARSHOT_AV_CODEC_FUNCTIONS(EARSHOT_AV_MEMBER)
  EARSHOT_AV_UTIL_FUNCTIONS(EARSHOT_AV_MEMBER)
  EARSHOT_SWS_FUNCTIONS(EARSHOT_AV_MEMBER)
#undef EARSHOT_AV_MEMBER
} earshot_av;

/// Fills the table from open libraries. Returns NULL, or the name of the first function that is lacking.
static inline const char *_Nullable earshot_av_fill(
    earshot_av *_Nonnull table, void *_Nonnull codec, void *_Nonnull util, void *_Nonnull scale) {
  void *library = codec;
#define EARSHOT_AV_LOOK_UP(symbol)                   \
  {                                                  \
    void *address = dlsym(library, #symbol);         \
    if (address == NULL) return #symbol;             \
    table->symbol = (__typeof__(symbol) *)address;   \
  }
  EARSHOT_AV_CODEC_FUNCTIONS(EARSHOT_AV_LOOK_UP)
  library = util;
  EARSHOT_AV_UTIL_FUNCTIONS(EARSHOT_AV_LOOK_UP)
  library = scale;
  EARSHOT_SWS_FUNCTIONS(EARSHOT_AV_LOOK_UP)
#undef EARSHOT_AV_LOOK_UP
  return NULL;
}

/// The full-range formats of JPEG (yuvj420p and so on) are deprecated; libswscale logs a warning for each picture.
/// Returns the plain format (yuv420p).
static inline enum AVPixelFormat earshot_av_plain(const earshot_av *_Nonnull av, enum AVPixelFormat format) {
  const char *name = av->av_get_pix_fmt_name(format);
  if (name == NULL || strncmp(name, "yuvj", 4) != 0) return format;
  char plain[16];
  snprintf(plain, sizeof plain, "yuv%s", name + 4);
  return av->av_get_pix_fmt(plain);
}

/// Decodes one picture and scales it to `side` by `side` pixels of RGBA, whatever its proportions; `rgba` has room
/// for them. `width` and `height` get the original size. `max_pixels` limits what the decoder accepts. Returns 0, or
/// a number that says where it failed.
static inline int earshot_av_decode(
    const earshot_av *_Nonnull av, const char *_Nonnull codec, const uint8_t *_Nonnull bytes, int count, int64_t max_pixels,
    int side, uint8_t *_Nonnull rgba, int *_Nonnull width, int *_Nonnull height) {
  int result = 1;
  AVCodecContext *context = NULL;
  AVPacket *packet = NULL;
  AVFrame *frame = NULL;
  struct SwsContext *scaler = NULL;
  const AVCodec *decoder = av->avcodec_find_decoder_by_name(codec);
  if (decoder == NULL) return 1;
  context = av->avcodec_alloc_context3(decoder);
  packet = av->av_packet_alloc();
  frame = av->av_frame_alloc();
  if (context == NULL || packet == NULL || frame == NULL) goto done;
  result = 2;
  if (av->av_opt_set_int(context, "threads", 1, 0) < 0) goto done;
  if (av->av_opt_set_int(context, "max_pixels", max_pixels, 0) < 0) goto done;
  // av_new_packet pads what it allocates, as the decoders demand.
  if (av->avcodec_open2(context, decoder, NULL) < 0 || av->av_new_packet(packet, count) < 0) goto done;
  memcpy(packet->data, bytes, (size_t)count);
  result = 3;
  if (av->avcodec_send_packet(context, packet) < 0) goto done;
  (void)av->avcodec_send_packet(context, NULL);
  if (av->avcodec_receive_frame(context, frame) < 0) goto done;
  if (frame->width <= 0 || frame->height <= 0) goto done;
  result = 4;
  enum AVPixelFormat format = earshot_av_plain(av, (enum AVPixelFormat)frame->format);
  scaler = av->sws_getContext(
      frame->width, frame->height, format, side, side, av->av_get_pix_fmt("rgba"), SWS_AREA, NULL, NULL, NULL);
  if (scaler == NULL) goto done;
  uint8_t *planes[4] = {rgba, NULL, NULL, NULL};
  int strides[4] = {side * 4, 0, 0, 0};
  if (av->sws_scale(scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides) <=
      0)
    goto done;
  *width = frame->width;
  *height = frame->height;
  result = 0;
done:
  if (scaler != NULL) av->sws_freeContext(scaler);
  if (frame != NULL) av->av_frame_free(&frame);
  if (packet != NULL) av->av_packet_free(&packet);
  if (context != NULL) av->avcodec_free_context(&context);
  return result;
}

#endif
