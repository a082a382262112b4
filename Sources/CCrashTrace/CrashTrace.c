#define _GNU_SOURCE
#include "CCrashTrace.h"

#ifdef __linux__
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// A function of Swift's runtime (swift/Demangling/Demangle.h), which libswiftCore exports for such uses.
extern char *swift_demangle(const char *mangled, size_t length, char *output, size_t *size, uint32_t flags);

enum { FRAMES = 64, SHOWN = 12, SECONDS = 5 };

// The symbols of the program, from its file or from its debug file.
struct symbols {
  const ElfW(Sym) *first;
  size_t count;
  const char *names;
};

static const ElfW(Ehdr) *map_file(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0 || status.st_size < (off_t)sizeof(ElfW(Ehdr))) return NULL;
  void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  return bytes == MAP_FAILED || memcmp(bytes, ELFMAG, SELFMAG) != 0 ? NULL : bytes;
}

static const ElfW(Shdr) *section(const ElfW(Ehdr) *elf, unsigned index) {
  return (const ElfW(Shdr) *)((const char *)elf + elf->e_shoff + (size_t)index * elf->e_shentsize);
}

static bool find_symbols(const ElfW(Ehdr) *elf, struct symbols *symbols) {
  for (unsigned index = 0; index < elf->e_shnum; index++) {
    const ElfW(Shdr) *table = section(elf, index);
    if (table->sh_type != SHT_SYMTAB) continue;
    symbols->first = (const ElfW(Sym) *)((const char *)elf + table->sh_offset);
    symbols->count = table->sh_size / sizeof(ElfW(Sym));
    symbols->names = (const char *)elf + section(elf, table->sh_link)->sh_offset;
    return true;
  }
  return false;
}

// The debug file of a stripped program is found by its build id, as debuggers do (gdb, "Debugging Information in
// Separate Files").
static bool debug_path(const ElfW(Ehdr) *elf, char *path, size_t size) {
  for (unsigned index = 0; index < elf->e_shnum; index++) {
    const ElfW(Shdr) *table = section(elf, index);
    const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)((const char *)elf + table->sh_offset);
    if (table->sh_type != SHT_NOTE || note->n_type != NT_GNU_BUILD_ID || note->n_descsz < 2) continue;
    const uint8_t *id = (const uint8_t *)(note + 1) + note->n_namesz;
    int length = snprintf(path, size, "/usr/lib/debug/.build-id/%02x/", id[0]);
    for (unsigned at = 1; at < note->n_descsz; at++) length += snprintf(path + length, size - length, "%02x", id[at]);
    snprintf(path + length, size - length, ".debug");
    return true;
  }
  return false;
}

static const char *name_of(const struct symbols *symbols, ElfW(Addr) offset) {
  for (size_t index = 0; index < symbols->count; index++) {
    const ElfW(Sym) *symbol = symbols->first + index;
    if ((symbol->st_info & 0xF) == STT_FUNC && offset - symbol->st_value < symbol->st_size)
      return symbols->names + symbol->st_name;
  }
  return NULL;
}

struct output {
  int log, messages;
  int shown;  // lines that `messages` may still get
};

static void put(struct output *output, const char *text) {
  if (output->log >= 0) (void)!write(output->log, text, strlen(text));
  if (output->shown > 0) (void)!write(output->messages, text, strlen(text));
  if (strchr(text, '\n') != NULL) output->shown--;
}

static void write_frame(struct output *output, const struct symbols *symbols, int number, void *address) {
  // A frame that hangs ends the trace. A slow machine gets the time again for each frame.
  alarm(SECONDS);
  char line[600];
  Dl_info info = {0};
  if (dladdr(address, &info) == 0 || info.dli_fname == NULL) {
    snprintf(line, sizeof line, "%3d %p\n", number, address);
    put(output, line);
    return;
  }
  const char *slash = strrchr(info.dli_fname, '/');
  ElfW(Addr) offset = (ElfW(Addr))address - (ElfW(Addr))info.dli_fbase;
  snprintf(line, sizeof line, "%3d %s+0x%lx ", number, slash ? slash + 1 : info.dli_fname, (unsigned long)offset);
  // Written before the name is looked up, which may hang: the crash may have been inside of malloc.
  put(output, line);
  Dl_info own = {0};
  dladdr((void *)&write_frame, &own);
  const char *name = info.dli_fbase == own.dli_fbase ? name_of(symbols, offset - 1) : info.dli_sname;
  char *clear = name ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
  snprintf(line, sizeof line, "%.500s\n", clear ? clear : name ? name : "");
  put(output, line);
}

static void write_trace(int signal_number, const char *title, const char *log, int messages) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  alarm(SECONDS);
  struct output output = {-1, messages, SHOWN};
  if (log != NULL) output.log = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (output.log < 0) output.shown = FRAMES + 2;
  char line[300];
  snprintf(line, sizeof line, "%.250s, signal %d\n", title, signal_number);
  put(&output, line);

  struct symbols symbols = {0};
  const ElfW(Ehdr) *program = map_file("/proc/self/exe");
  char path[200];
  if (program != NULL && !find_symbols(program, &symbols) && debug_path(program, path, sizeof path)) {
    const ElfW(Ehdr) *debug = map_file(path);
    if (debug != NULL) find_symbols(debug, &symbols);
  }
  void *frames[FRAMES];
  int count = backtrace(frames, FRAMES), first = 0;
  // The frames of the handler end with the C library's, which called it.
  Dl_info info, own;
  dladdr((void *)&write_trace, &own);
  while (first < count && dladdr(frames[first], &info) != 0 && info.dli_fbase == own.dli_fbase) first++;
  for (int index = first + 1; index < count; index++) write_frame(&output, &symbols, index - first - 1, frames[index]);
}

void earshot_crash_trace(int signal, const char *title, const char *log, int messages) {
  // fork(3) would wait for the locks of malloc.
  pid_t child = _Fork();
  if (child == 0) {
    write_trace(signal, title, log, messages);
    _exit(0);
  }
  if (child > 0) waitpid(child, NULL, 0);
}

#else
void earshot_crash_trace(int signal, const char *title, const char *log, int messages) {}
#endif
