// The one place that compiles stb's implementations.

#include <cstdint>
#include <cstdlib>

#include "tools/io/stb_limit.h"

namespace micrort::io {
namespace {

thread_local size_t most_stb_bytes = SIZE_MAX;

void* GrowStbBlock(void* block, size_t size) {
  return size > most_stb_bytes ? nullptr : std::realloc(block, size);
}

}  // namespace

StbLimit::StbLimit(size_t most_bytes) { most_stb_bytes = most_bytes; }
StbLimit::~StbLimit() { most_stb_bytes = SIZE_MAX; }

}  // namespace micrort::io

// Tables that a file uses and does not hold are zero, not what lay there before.
#define STBI_MALLOC(size) std::calloc(1, size)
#define STBI_REALLOC(block, size) micrort::io::GrowStbBlock(block, size)
#define STBI_FREE(block) std::free(block)
// A file decides what it asserts, and values that it asserts wrongly it only computes with.
#define STBI_ASSERT(condition) ((void)sizeof(condition))
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_NO_GIF
#define STBI_NO_PSD
#define STBI_NO_PIC
#define STBI_NO_PNM
#define STBI_NO_TGA
#define STBI_MAX_DIMENSIONS 32768
#include "stb/stb_image.h"
// Its assertion that weights add up to 1 within a tenth does not hold for all ratios; it normalizes them
// behind it.
#define STBIR_ASSERT(condition) ((void)sizeof(condition))
#define STB_IMAGE_RESIZE_IMPLEMENTATION
#include "stb/stb_image_resize.h"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb/stb_image_write.h"
