#include "tools/io/image.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "stb/stb_image.h"
#include "stb/stb_image_resize.h"
#include "tools/io/picture_check.h"
#include "tools/io/stb_limit.h"

namespace micrort::io {
namespace {

constexpr uint8_t kLetterboxGrey = 114;
// stb counts bytes in int.
constexpr int64_t kMaxElements = int64_t{1} << 28;

struct Layout {
  int channels = 0, height = -1, width = -1;
  bool channels_first = false;
};

struct Pixels {
  int height = 0, width = 0, channels = 0;
  std::vector<uint8_t> data;  // HWC
};

bool IsChannelCount(int64_t d) { return d == 1 || d == 3; }

bool FindLayout(const std::vector<int64_t>& shape, Layout* out) {
  const size_t rank = shape.size();
  if (rank == 4 && shape[0] > 1) return false;
  const auto dim = [&](size_t i) { return static_cast<int>(shape[i]); };
  if (rank == 2) {
    *out = {1, dim(0), dim(1), false};
  } else if ((rank == 3 || rank == 4) && IsChannelCount(shape[rank - 3])) {
    *out = {dim(rank - 3), dim(rank - 2), dim(rank - 1), true};
  } else if ((rank == 3 || rank == 4) && IsChannelCount(shape[rank - 1])) {
    *out = {dim(rank - 1), dim(rank - 3), dim(rank - 2), false};
  } else {
    return false;
  }
  return true;
}

Status Decode(const std::string& what, Span<const uint8_t> bytes, int channels, Pixels* out) {
  size_t most_block = 0;
  MICRORT_RETURN_IF_ERROR(CheckPicture(what, bytes, channels, &most_block));
  const StbLimit limit(most_block);
  int width = 0, height = 0, found = 0;
  const auto size = static_cast<int>(bytes.size());
  std::unique_ptr<uint8_t, void (*)(void*)> pixels(
      stbi_load_from_memory(bytes.data(), size, &width, &height, &found, channels), stbi_image_free);
  if (pixels == nullptr) {
    return MICRORT_ERROR(kInvalidArgument, "%s: broken picture: %s", what.c_str(), stbi_failure_reason());
  }
  *out = {height, width, channels, {}};
  out->data.assign(pixels.get(), pixels.get() + static_cast<size_t>(height) * width * channels);
  return Status();
}

Pixels Scaled(const Pixels& from, int height, int width) {
  Pixels to{height, width, from.channels,
            std::vector<uint8_t>(static_cast<size_t>(height) * width * from.channels)};
  if (height == from.height && width == from.width) {
    to.data = from.data;
  } else {
    stbir_resize_uint8_generic(from.data.data(), from.width, from.height, 0, to.data.data(), width, height, 0,
                               from.channels, STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_CLAMP,
                               STBIR_FILTER_TRIANGLE, STBIR_COLORSPACE_LINEAR, nullptr);
  }
  return to;
}

// Copies `from`, centred, over `to`; whichever is larger in a direction is cut there.
void Paste(const Pixels& from, Pixels* to) {
  const int top = (to->height - from.height) / 2, left = (to->width - from.width) / 2;
  const int columns = std::min(from.width, to->width);
  for (int y = std::max(0, top); y < to->height && y - top < from.height; ++y) {
    const size_t source = (static_cast<size_t>(y - top) * from.width + std::max(0, -left)) * from.channels;
    const size_t target = (static_cast<size_t>(y) * to->width + std::max(0, left)) * from.channels;
    std::memcpy(to->data.data() + target, from.data.data() + source,
                static_cast<size_t>(columns) * from.channels);
  }
}

// The middle of the picture as the window would show it that covers it, scaled by one factor. Only what it
// shows is computed: a picture that is much longer than the window is high would be huge as a whole.
Pixels Cropped(const Pixels& from, int height, int width) {
  const double factor =
      std::max(static_cast<double>(height) / from.height, static_cast<double>(width) / from.width);
  const auto side = [&](int n) { return std::max<double>(1, std::round(n * factor)); };
  const double scaled_height = side(from.height), scaled_width = side(from.width);
  if (scaled_height == height && scaled_width == width) return Scaled(from, height, width);
  const auto skipped = [](double scaled, int window) {
    return static_cast<float>(std::floor(std::max(0.0, scaled - window) / 2));
  };
  Pixels to{height, width, from.channels,
            std::vector<uint8_t>(static_cast<size_t>(height) * width * from.channels)};
  stbir_resize_subpixel(from.data.data(), from.width, from.height, 0, to.data.data(), width, height, 0,
                        STBIR_TYPE_UINT8, from.channels, STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_CLAMP,
                        STBIR_EDGE_CLAMP, STBIR_FILTER_TRIANGLE, STBIR_FILTER_TRIANGLE,
                        STBIR_COLORSPACE_LINEAR, nullptr, static_cast<float>(scaled_width / from.width),
                        static_cast<float>(scaled_height / from.height), skipped(scaled_width, width),
                        skipped(scaled_height, height));
  return to;
}

Pixels Fitted(const Pixels& from, int height, int width, ResizeFit fit) {
  if (fit == ResizeFit::kStretch) return Scaled(from, height, width);
  if (fit == ResizeFit::kCrop) return Cropped(from, height, width);
  const double factor =
      std::min(static_cast<double>(height) / from.height, static_cast<double>(width) / from.width);
  const auto side = [&](int n) { return std::max(1, static_cast<int>(std::lround(n * factor))); };
  Pixels to{height, width, from.channels, {}};
  to.data.assign(static_cast<size_t>(height) * width * from.channels, kLetterboxGrey);
  Paste(Scaled(from, side(from.height), side(from.width)), &to);
  return to;
}

std::vector<float> Normalized(const Pixels& pixels, bool channels_first, const Preprocess& preprocess) {
  const auto pick = [](const std::vector<float>& v, int c) {
    return v.size() == 1 ? v[0] : v[static_cast<size_t>(c)];
  };
  const size_t plane = static_cast<size_t>(pixels.height) * pixels.width;
  std::vector<float> out(pixels.data.size());
  for (int c = 0; c < pixels.channels; ++c) {
    const float mean = pick(preprocess.mean, c), scale = pick(preprocess.scale, c);
    const int from = preprocess.color == Color::kBgr ? pixels.channels - 1 - c : c;
    for (size_t i = 0; i < plane; ++i) {
      const float value = (pixels.data[i * pixels.channels + from] - mean) * scale;
      out[channels_first ? c * plane + i : i * pixels.channels + c] = value;
    }
  }
  return out;
}

template <typename T>
void StoreRounded(const std::vector<float>& values, std::vector<uint8_t>* out) {
  out->resize(values.size() * sizeof(T));
  constexpr float kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  for (size_t i = 0; i < values.size(); ++i) {
    const T v = static_cast<T>(std::nearbyint(std::min(std::max(values[i], kLow), kHigh)));
    std::memcpy(out->data() + i * sizeof(T), &v, sizeof v);
  }
}

}  // namespace

Status LoadImage(const std::string& what, Span<const uint8_t> bytes, const ImageTarget& target,
                 const Preprocess& preprocess, NamedArray* out) {
  Layout layout;
  if (!FindLayout(target.shape, &layout)) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "%s: a picture fits inputs of one sample with 1 or 3 channels, first or last; found shape %s",
        what.c_str(), ShapeText(target.shape).c_str());
  }
  if (preprocess.color == Color::kGray && layout.channels == 3) {
    return MICRORT_ERROR(kInvalidArgument, "%s: --color gray does not fit an input of shape %s", what.c_str(),
                         ShapeText(target.shape).c_str());
  }
  for (const auto* values : {&preprocess.mean, &preprocess.scale}) {
    if (values->size() != 1 && values->size() != static_cast<size_t>(layout.channels)) {
      return MICRORT_ERROR(kInvalidArgument,
                           "%s: expected 1 %sof --mean and --scale for an input of %d channel%s, found %zu",
                           what.c_str(), layout.channels == 1 ? "value " : "or 3 values ", layout.channels,
                           layout.channels == 1 ? "" : "s", values->size());
    }
  }
  Pixels pixels;
  MICRORT_RETURN_IF_ERROR(Decode(what, bytes, layout.channels, &pixels));
  const int height = layout.height < 0 ? pixels.height : layout.height;
  const int width = layout.width < 0 ? pixels.width : layout.width;
  if (height <= 0 || width <= 0 || int64_t{height} > kMaxElements / width / layout.channels) {
    return MICRORT_ERROR(kUnsupported,
                         "%s: a picture is scaled to at most %lld elements; the input has shape %s",
                         what.c_str(), static_cast<long long>(kMaxElements), ShapeText(target.shape).c_str());
  }
  pixels = Fitted(pixels, height, width, preprocess.fit);
  const std::vector<float> values = Normalized(pixels, layout.channels_first, preprocess);

  NamedArray array{"", DType::kFloat32, target.shape, {}};
  const size_t rank = array.shape.size();
  if (rank == 4) array.shape[0] = 1;
  const size_t h = rank == 2 ? 0 : rank - (layout.channels_first ? 2 : 3);
  array.shape[h] = height;
  array.shape[h + 1] = width;
  if (target.dtype == DType::kUInt8) {
    array.dtype = DType::kUInt8;
    StoreRounded<uint8_t>(values, &array.data);
  } else if (target.dtype == DType::kInt8) {
    array.dtype = DType::kInt8;
    StoreRounded<int8_t>(values, &array.data);
  } else {
    array.data.resize(values.size() * sizeof(float));
    std::memcpy(array.data.data(), values.data(), array.data.size());
    return ConvertArray(array, target.dtype, out);
  }
  *out = std::move(array);
  return Status();
}

}  // namespace micrort::io
