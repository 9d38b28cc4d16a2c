// The one place that compiles stb's implementations.

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
