// Inline wrappers for the macros, variadic functions and global variables of ncurses, which Swift cannot import.
#ifndef EARSHOT_CNCURSES_SHIM_H
#define EARSHOT_CNCURSES_SHIM_H

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <term.h>
#include <wchar.h>

// <wchar.h> hides it unless _XOPEN_SOURCE is set, which Swift's importer does not set on every system.
extern int wcwidth(wchar_t);

static const uint32_t CN_BOLD = A_BOLD;
static const uint32_t CN_DIM = A_DIM;
static const uint32_t CN_ITALIC = A_ITALIC;
static const uint32_t CN_UNDERLINE = A_UNDERLINE;
static const uint32_t CN_REVERSE = A_REVERSE;

// How many bytes can be read; -1 when the device is gone. FIONREAD is a macro that Swift cannot see on every system.
static inline int cn_waiting(int fd) {
  int count = 0;
  return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

// The results of cn_read.
static const int CN_NONE = 0;
static const int CN_BYTE = 1;
static const int CN_FUNCTION_KEY = 2;

// Reads one byte or function key into *code. Not wget_wch, which loses the beginning of a character whose other bytes
// come later, and the input behind a byte that is not UTF-8.
static inline int cn_read(uint32_t *code) {
  int value = wgetch(stdscr);
  *code = (uint32_t)value;
  return value == ERR ? CN_NONE : value > 0xFF ? CN_FUNCTION_KEY : CN_BYTE;
}

// Raw mode without echo; function keys are decoded, reads do not block, CR and LF are distinct, nothing scrolls.
static inline void cn_prepare(void) {
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  meta(stdscr, TRUE);
  intrflush(stdscr, FALSE);
  scrollok(stdscr, FALSE);
  idlok(stdscr, FALSE);
  // Draw every frame completely. The event loop checks for keys between frames.
  typeahead(-1);
}

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
// A memory file that child processes do not inherit (memfd_create(2)), or -1. Called by its syscall number, because
// glibc declares the function only for _GNU_SOURCE.
static inline int cn_memory_file(void) { return (int)syscall(SYS_memfd_create, "earshot frame", 1U /* MFD_CLOEXEC */); }
#endif

// Sets a cell. The colour pair is passed in `opts` (ncurses 6.1), because the short parameter is limited to 32,767.
static inline int cn_set_cell(cchar_t *cell, const wchar_t *text, uint32_t attributes, int pair) {
  return setcchar(cell, text, (attr_t)attributes, 0, &pair);
}

// The same cell with another spacing character. This is faster than `setcchar`, which measures the text.
static inline cchar_t cn_with_character(cchar_t cell, wchar_t character) {
  cell.chars[0] = character;
  return cell;
}

// Writes cells from column x on without moving the cursor. A wide character counts as one cell.
static inline int cn_write(int y, int x, const cchar_t *cells, int count) {
  return mvwadd_wchnstr(stdscr, y, x, cells, count);
}

static inline void cn_erase(void) { werase(stdscr); }
static inline void cn_move(int y, int x) { wmove(stdscr, y, x); }
static inline void cn_stage(void) { wnoutrefresh(stdscr); }

// Makes the next doupdate clear the terminal and write everything.
static inline void cn_redraw_all(void) { clearok(curscr, TRUE); }

// Makes the next doupdate write these rows completely.
static inline void cn_redraw_rows(int y, int count) { wredrawln(stdscr, y, count); }

static inline int cn_color_pairs(void) { return COLOR_PAIRS; }

// Whether the terminal description has a string capability: tigetstr returns -1 for "no such name".
static inline bool cn_has_string(const char *name) {
  char *value = tigetstr((char *)name);
  return value != (char *)-1 && value != NULL;
}

// The window size in cells and in pixels. Pixels are 0 if the terminal does not report them.
static inline bool cn_window_size(int fd, int *width, int *height, int *pixel_width, int *pixel_height) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return false;
  *width = size.ws_col;
  *height = size.ws_row;
  *pixel_width = size.ws_xpixel;
  *pixel_height = size.ws_ypixel;
  return true;
}

#endif
