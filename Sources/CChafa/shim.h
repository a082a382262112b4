// The table of libchafa's functions (chafa 1.8 and newer), filled with dlsym.
//
// libchafa is neither linked nor needed for building. Linking it would load GLib at every start, and a machine
// without it can still play. So the needed part of <chafa.h> is declared here: opaque pointers and numbers, which
// have not changed since chafa 1.8 (the soname is still libchafa.so.0).
#ifndef EARSHOT_CCHAFA_SHIM_H
#define EARSHOT_CCHAFA_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct _ChafaCanvas ChafaCanvas;
typedef struct _ChafaCanvasConfig ChafaCanvasConfig;
typedef struct _ChafaSymbolMap ChafaSymbolMap;
typedef struct _ChafaTermDb ChafaTermDb;
typedef struct _ChafaTermInfo ChafaTermInfo;
/// glib/gstring.h.
typedef struct _GString {
  char *_Nullable str;
  size_t len;
  size_t allocated_len;
} GString;

/// chafa-canvas-config.h, ChafaCanvasMode.
enum {
  EARSHOT_CHAFA_TRUECOLOR = 0,
  EARSHOT_CHAFA_INDEXED_240 = 2,
  EARSHOT_CHAFA_INDEXED_16 = 3,
  EARSHOT_CHAFA_FGBG = 5,
  EARSHOT_CHAFA_INDEXED_8 = 6,
};
/// ChafaPixelMode.
enum {
  EARSHOT_CHAFA_SIXELS = 1,
  EARSHOT_CHAFA_KITTY = 2,
  EARSHOT_CHAFA_ITERM2 = 3,
};
/// ChafaColorSpace, ChafaDitherMode; chafa-common.h, ChafaPixelType.
enum {
  EARSHOT_CHAFA_DIN99D = 1,
  EARSHOT_CHAFA_DITHER_NONE = 0,
  EARSHOT_CHAFA_DITHER_ORDERED = 1,
  EARSHOT_CHAFA_RGBA8_UNASSOCIATED = 4,
};
/// chafa-symbol-map.h, ChafaSymbolTags.
enum {
  EARSHOT_CHAFA_SPACE = 1 << 0,
  EARSHOT_CHAFA_SOLID = 1 << 1,
  EARSHOT_CHAFA_BLOCK = 1 << 3,
  EARSHOT_CHAFA_HALF = 1 << 5 | 1 << 6,
  EARSHOT_CHAFA_QUAD = 1 << 7,
  EARSHOT_CHAFA_BRAILLE = 1 << 11,
  EARSHOT_CHAFA_ASCII = 1 << 14,
};

#define EARSHOT_CHAFA_FUNCTIONS(F)                                                              \
  F(ChafaSymbolMap *_Nullable, symbol_map_new, (void))                                          \
  F(void, symbol_map_unref, (ChafaSymbolMap *_Nonnull))                                         \
  F(void, symbol_map_add_by_tags, (ChafaSymbolMap *_Nonnull, int))                              \
  F(ChafaCanvasConfig *_Nullable, canvas_config_new, (void))                                    \
  F(void, canvas_config_unref, (ChafaCanvasConfig *_Nonnull))                                   \
  F(void, canvas_config_set_canvas_mode, (ChafaCanvasConfig *_Nonnull, int))                    \
  F(void, canvas_config_set_color_space, (ChafaCanvasConfig *_Nonnull, int))                    \
  F(void, canvas_config_set_dither_mode, (ChafaCanvasConfig *_Nonnull, int))                    \
  F(void, canvas_config_set_geometry, (ChafaCanvasConfig *_Nonnull, int, int))                  \
  F(void, canvas_config_set_cell_geometry, (ChafaCanvasConfig *_Nonnull, int, int))             \
  F(void, canvas_config_set_pixel_mode, (ChafaCanvasConfig *_Nonnull, int))                     \
  F(void, canvas_config_set_symbol_map, (ChafaCanvasConfig *_Nonnull, const ChafaSymbolMap *_Nonnull)) \
  F(void, canvas_config_set_work_factor, (ChafaCanvasConfig *_Nonnull, float))                  \
  F(ChafaCanvas *_Nullable, canvas_new, (const ChafaCanvasConfig *_Nonnull))                    \
  F(void, canvas_unref, (ChafaCanvas *_Nonnull))                                                \
  F(void, canvas_draw_all_pixels, (ChafaCanvas *_Nonnull, int, const uint8_t *_Nonnull, int, int, int)) \
  F(GString *_Nullable, canvas_print, (ChafaCanvas *_Nonnull, ChafaTermInfo *_Nullable))        \
  F(ChafaTermDb *_Nullable, term_db_get_default, (void))                                        \
  F(ChafaTermInfo *_Nullable, term_db_get_fallback_info, (ChafaTermDb *_Nonnull))               \
  F(uint32_t, canvas_get_char_at, (ChafaCanvas *_Nonnull, int, int))                            \
  F(void, canvas_get_raw_colors_at, (ChafaCanvas *_Nonnull, int, int, int *_Nonnull, int *_Nonnull))

typedef struct earshot_chafa {
#define EARSHOT_CHAFA_MEMBER(result, name, arguments) result(*_Nonnull name) arguments;
  EARSHOT_CHAFA_FUNCTIONS(EARSHOT_CHAFA_MEMBER)
#undef EARSHOT_CHAFA_MEMBER
  char *_Nullable (*_Nonnull string_free)(GString *_Nonnull, int);
} earshot_chafa;

/// Fills the table from an open library. Returns NULL, or the name of the first function that the library lacks.
static inline const char *_Nullable earshot_chafa_fill(earshot_chafa *_Nonnull table, void *_Nonnull library) {
#define EARSHOT_CHAFA_LOOK_UP(result, name, arguments)           \
  {                                                              \
    void *address = dlsym(library, "chafa_" #name);              \
    if (address == NULL) return "chafa_" #name;                  \
    *(void **)(&table->name) = address;                          \
  }
  EARSHOT_CHAFA_FUNCTIONS(EARSHOT_CHAFA_LOOK_UP)
#undef EARSHOT_CHAFA_LOOK_UP
  // A function of GLib. dlsym also searches the dependencies of a library.
  void *string_free = dlsym(library, "g_string_free");
  if (string_free == NULL) return "g_string_free";
  *(void **)(&table->string_free) = string_free;
  return NULL;
}

#endif
