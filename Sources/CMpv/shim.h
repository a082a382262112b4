// The table of libmpv's functions, filled with dlsym.
//
// libmpv is not linked: loading its 250 shared libraries takes 57 ms, and most starts of the program play nothing.
// Only the types come from <mpv/client.h>. __typeof__ checks the table against the header like a direct call: a
// changed signature does not compile.
#ifndef EARSHOT_CMPV_SHIM_H
#define EARSHOT_CMPV_SHIM_H

#include <dlfcn.h>
#include <mpv/client.h>
#include <stddef.h>

#define EARSHOT_MPV_FUNCTIONS(F) \
  F(client_api_version)          \
  F(command_node)                \
  F(command_node_async)          \
  F(create)                      \
  F(error_string)                \
  F(free)                        \
  F(free_node_contents)          \
  F(get_property)                \
  F(initialize)                  \
  F(observe_property)            \
  F(request_log_messages)        \
  F(set_option_string)           \
  F(set_property)                \
  F(terminate_destroy)           \
  F(wait_event)                  \
  F(wakeup)

typedef struct earshot_mpv {
#define EARSHOT_MPV_MEMBER(name) __typeof__(mpv_##name) *_Nonnull name;
  EARSHOT_MPV_FUNCTIONS(EARSHOT_MPV_MEMBER)
#undef EARSHOT_MPV_MEMBER
} earshot_mpv;

/// Fills the table from an open library. Returns NULL, or the name of the first function that the library lacks.
static inline const char *_Nullable earshot_mpv_fill(earshot_mpv *_Nonnull table, void *_Nonnull library) {
#define EARSHOT_MPV_LOOK_UP(symbol)                        \
  {                                                        \
    void *address = dlsym(library, "mpv_" #symbol);        \
    if (address == NULL) return "mpv_" #symbol;            \
    table->symbol = (__typeof__(mpv_##symbol) *)address;   \
  }
  EARSHOT_MPV_FUNCTIONS(EARSHOT_MPV_LOOK_UP)
#undef EARSHOT_MPV_LOOK_UP
  return NULL;
}

#endif
