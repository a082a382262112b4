// sd-bus, the D-Bus library of libsystemd (man 3 sd-bus). Its functions are looked up with dlsym, so the program
// builds and runs without libsystemd. The declarations follow the manual pages. libsystemd versions its symbols
// (LIBSYSTEMD_221 and later) and never changes one.
#ifndef EARSHOT_CSDBUS_SHIM_H
#define EARSHOT_CSDBUS_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;

/// man 3 sd_bus_error
typedef struct sd_bus_error {
  const char *_Nullable name;
  const char *_Nullable message;
  int _need_free;
} sd_bus_error;

typedef int (*sd_bus_message_handler_t)(sd_bus_message *_Nullable message, void *_Nullable context,
                                        sd_bus_error *_Nullable error);

// Result, name without `sd_bus_`, parameters. Results below zero are -errno.
#define EARSHOT_SDBUS_FUNCTIONS(F)                                                                                     \
  F(int, add_object, (sd_bus *, sd_bus_slot **, const char *path, sd_bus_message_handler_t, void *context))           \
  F(int, call, (sd_bus *, sd_bus_message *, uint64_t microseconds, sd_bus_error *, sd_bus_message **reply))            \
  F(void, error_free, (sd_bus_error *))                                                                                \
  F(sd_bus *, flush_close_unref, (sd_bus *))                                                                           \
  F(int, get_events, (sd_bus *))                                                                                       \
  F(int, get_fd, (sd_bus *))                                                                                           \
  F(int, get_timeout, (sd_bus *, uint64_t *microseconds))                                                              \
  F(int, message_append_array, (sd_bus_message *, char type, const void *, size_t bytes))                              \
  F(int, message_append_basic, (sd_bus_message *, char type, const void *))                                            \
  F(int, message_close_container, (sd_bus_message *))                                                                  \
  F(int, message_enter_container, (sd_bus_message *, char type, const char *contents))                                 \
  F(int, message_exit_container, (sd_bus_message *))                                                                   \
  F(const char *, message_get_interface, (sd_bus_message *))                                                           \
  F(const char *, message_get_member, (sd_bus_message *))                                                              \
  F(int, message_is_method_call, (sd_bus_message *, const char *interface, const char *member))                        \
  F(int, message_new_method_call, (sd_bus *, sd_bus_message **, const char *destination, const char *path,             \
                                   const char *interface, const char *member))                                         \
  F(int, message_new_method_return, (sd_bus_message * call, sd_bus_message **))                                        \
  F(int, message_new_signal, (sd_bus *, sd_bus_message **, const char *path, const char *interface,                    \
                              const char *member))                                                                     \
  F(int, message_open_container, (sd_bus_message *, char type, const char *contents))                                  \
  F(int, message_peek_type, (sd_bus_message *, char *type, const char **contents))                                     \
  F(int, message_read_array, (sd_bus_message *, char type, const void **, size_t *bytes))                              \
  F(int, message_read_basic, (sd_bus_message *, char type, void *))                                                    \
  F(sd_bus_message *, message_unref, (sd_bus_message *))                                                               \
  F(int, open_user, (sd_bus **))                                                                                       \
  F(int, process, (sd_bus *, sd_bus_message **))                                                                       \
  F(int, reply_method_error, (sd_bus_message * call, const sd_bus_error *))                                            \
  F(int, request_name, (sd_bus *, const char *name, uint64_t flags))                                                   \
  F(int, send, (sd_bus *, sd_bus_message *, uint64_t *cookie))

typedef struct earshot_sdbus {
#define EARSHOT_SDBUS_MEMBER(result, name, parameters) result(*_Nonnull name) parameters;
  EARSHOT_SDBUS_FUNCTIONS(EARSHOT_SDBUS_MEMBER)
#undef EARSHOT_SDBUS_MEMBER
} earshot_sdbus;

/// Fills the table from an open library. Returns NULL, or the name of the first function that the library lacks.
static inline const char *_Nullable earshot_sdbus_fill(earshot_sdbus *_Nonnull table, void *_Nonnull library) {
#define EARSHOT_SDBUS_LOOK_UP(result, symbol, parameters)       \
  {                                                             \
    void *address = dlsym(library, "sd_bus_" #symbol);          \
    if (address == NULL) return "sd_bus_" #symbol;              \
    *(void **)&table->symbol = address;                         \
  }
  EARSHOT_SDBUS_FUNCTIONS(EARSHOT_SDBUS_LOOK_UP)
#undef EARSHOT_SDBUS_LOOK_UP
  return NULL;
}

#endif
