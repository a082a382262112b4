#pragma once
#include <zlib.h>

// A macro, which Swift cannot import. 16 means: only gzip, with its header and its checksum.
static inline int earshot_inflate_gzip_init(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }
