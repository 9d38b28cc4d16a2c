// Pictures of every kind that the decoder takes: whatever a writer here makes, and a progressive JPEG.

#include "stb/stb_image_write.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

void Append(void* context, void* data, int size) {
  static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<size_t>(size));
}

constexpr int kWidth = 17, kHeight = 9;

std::vector<uint8_t> Pixels(int channels) {
  std::vector<uint8_t> pixels;
  for (int i = 0; i < kWidth * kHeight * channels; ++i) pixels.push_back(static_cast<uint8_t>(i * 37));
  return pixels;
}

// 8 x 8 grey pixels in two scans: the mean, which is not 0, then all else, which is nothing.
std::string ProgressiveJpeg() {
  std::string file("\xff\xd8\xff\xdb\x00\x43\x00", 7);
  file.append(64, 1);
  file.append("\xff\xc2\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00", 13);
  // One code each: 7 bits of the mean follow; the block ends.
  for (const char table_and_symbol : {'\x07', '\x00'}) {
    file.append("\xff\xc4\x00\x14", 4);
    file.push_back(table_and_symbol == '\x07' ? '\x00' : '\x10');
    file.push_back(1);
    file.append(15, 0);
    file.push_back(table_and_symbol);
  }
  file.append("\xff\xda\x00\x08\x01\x01\x00\x00\x00\x00\x55", 11);
  file.append("\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00\x7f\xff\xd9", 13);
  return file;
}

}  // namespace

std::vector<std::string> PictureSeeds() {
  std::vector<std::string> seeds = {ProgressiveJpeg()};
  for (const int channels : {1, 2, 3, 4}) {
    const std::vector<uint8_t> pixels = Pixels(channels);
    std::string png, bitmap, jpeg;
    stbi_write_png_to_func(Append, &png, kWidth, kHeight, channels, pixels.data(), kWidth * channels);
    stbi_write_bmp_to_func(Append, &bitmap, kWidth, kHeight, channels, pixels.data());
    stbi_write_jpg_to_func(Append, &jpeg, kWidth, kHeight, channels, pixels.data(), 90 - 25 * channels);
    seeds.insert(seeds.end(), {png, bitmap, jpeg});
  }
  return seeds;
}

}  // namespace micrort::fuzz
