// Decodes pictures with FFmpeg's libavcodec and libswscale, which are installed wherever libmpv is. They are not
// linked but opened for the first picture, in exactly the major versions of these headers, because the structures
// below are part of the ABI.
#ifndef EARSHOT_CAVCODEC_SHIM_H
#define EARSHOT_CAVCODEC_SHIM_H

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libswscale/swscale.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EARSHOT_AV_CODEC_FUNCTIONS(F) \
  F(avcodec_find_decoder)             \
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
  F(av_frame_free)
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

enum {
  EARSHOT_AV_CODEC_MAJOR = LIBAVCODEC_VERSION_MAJOR,
  EARSHOT_AV_UTIL_MAJOR = LIBAVUTIL_VERSION_MAJOR,
  EARSHOT_SWS_MAJOR = LIBSWSCALE_VERSION_MAJOR,
};

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

/// The full-range formats of JPEG are deprecated; libswscale logs a warning for each picture. Returns the plain
/// format.
static inline enum AVPixelFormat earshot_av_plain(enum AVPixelFormat format) {
  switch (format) {
    case AV_PIX_FMT_YUVJ420P: return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P: return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P: return AV_PIX_FMT_YUV444P;
    case AV_PIX_FMT_YUVJ440P: return AV_PIX_FMT_YUV440P;
    default: return format;
  }
}

/// Decodes one picture and scales it to `side` by `side` pixels of RGBA, whatever its proportions; `rgba` has room
/// for them. `width` and `height` get the original size. `max_pixels` limits what the decoder accepts. Returns 0, or
/// a number that says where it failed.
static inline int earshot_av_decode(
    const earshot_av *_Nonnull av, enum AVCodecID codec, const uint8_t *_Nonnull bytes, int count, int64_t max_pixels,
    int side, uint8_t *_Nonnull rgba, int *_Nonnull width, int *_Nonnull height) {
  int result = 1;
  AVCodecContext *context = NULL;
  AVPacket *packet = NULL;
  AVFrame *frame = NULL;
  struct SwsContext *scaler = NULL;
  const AVCodec *decoder = av->avcodec_find_decoder(codec);
  if (decoder == NULL) return 1;
  context = av->avcodec_alloc_context3(decoder);
  packet = av->av_packet_alloc();
  frame = av->av_frame_alloc();
  if (context == NULL || packet == NULL || frame == NULL) goto done;
  context->thread_count = 1;
  context->max_pixels = max_pixels;
  result = 2;
  // av_new_packet pads what it allocates, as the decoders demand.
  if (av->avcodec_open2(context, decoder, NULL) < 0 || av->av_new_packet(packet, count) < 0) goto done;
  memcpy(packet->data, bytes, (size_t)count);
  result = 3;
  if (av->avcodec_send_packet(context, packet) < 0) goto done;
  (void)av->avcodec_send_packet(context, NULL);
  if (av->avcodec_receive_frame(context, frame) < 0) goto done;
  if (frame->width <= 0 || frame->height <= 0) goto done;
  result = 4;
  enum AVPixelFormat format = earshot_av_plain((enum AVPixelFormat)frame->format);
  scaler = av->sws_getContext(
      frame->width, frame->height, format, side, side, AV_PIX_FMT_RGBA, SWS_AREA, NULL, NULL, NULL);
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
