#include "tools/io/load.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "tools/io/file.h"
#include "tools/io/near_names.h"
#include "tools/io/npy.h"
#include "tools/io/tensor_proto.h"

namespace micrort::io {

bool IsPicture(const std::string& path) {
  const std::string extension = Extension(path);
  return extension == "png" || extension == "jpg" || extension == "jpeg" || extension == "bmp";
}

namespace {

// A shift by less than one of 255 grey levels is none that anybody means.
bool HasUnitMeans(const Preprocess& preprocess) {
  const auto& mean = preprocess.mean;
  return std::all_of(mean.begin(), mean.end(), [](float m) { return std::fabs(m) <= 1; }) &&
         std::any_of(mean.begin(), mean.end(), [](float m) { return m != 0; });
}

std::string ListOf(const std::vector<float>& values, float factor) {
  std::string text;
  for (const float value : values) {
    char number[32];
    std::snprintf(number, sizeof number, "%s%.6g", text.empty() ? "" : ",",
                  static_cast<double>(value * factor));
    text += number;
  }
  return text;
}

std::string UnitMeansNote(const Preprocess& preprocess) {
  constexpr float kPixels = 255, kLeastOfUnits = 0.1f;
  const bool has_unit_scale = std::all_of(preprocess.scale.begin(), preprocess.scale.end(),
                                          [](float s) { return std::fabs(s) >= kLeastOfUnits; });
  return "warning: --mean " + ListOf(preprocess.mean, 1) +
         " is for pixels from 0 to 1, and pixels are 0 to 255 here: type --mean " +
         ListOf(preprocess.mean, kPixels) + " --scale " +
         ListOf(preprocess.scale, has_unit_scale ? 1 / kPixels : 1);
}

}  // namespace

std::string PreprocessNote(const std::vector<std::string>& files, const Preprocess& preprocess) {
  if (preprocess.is_default()) return "";
  if (HasUnitMeans(preprocess) && std::any_of(files.begin(), files.end(), IsPicture))
    return UnitMeansNote(preprocess);
  const auto array =
      std::find_if(files.begin(), files.end(), [](const std::string& file) { return !IsPicture(file); });
  if (array == files.end()) return "";
  return "--mean, --scale, --color and --resize are for pictures: '" + *array + "' is taken as it is";
}

std::string ConvertedNote(const std::string& input, const NamedArray& array) {
  const bool is_float = array.dtype == DType::kFloat32 || array.dtype == DType::kFloat16;
  if (!is_float || array.stored == DType::kUnknown) return "";
  const std::string what =
      "input '" + input + "' is " + Name(array.dtype) + ", its array " + Name(array.stored);
  if (array.stored == DType::kFloat64)
    return what + ": the values are rounded; np.save(file, x.astype(np.float32)) stores what is used";
  if (IsFloat(array.stored) || array.stored == DType::kBool) return "";
  return what +
         ": its values are used as they are, because --mean and --scale apply to pictures only; normalize "
         "them as in training, and save them as x.astype(np.float32)";
}

namespace {

Status PickMember(const std::string& path, const std::string& name, std::vector<NamedArray>* arrays,
                  NamedArray* out) {
  for (NamedArray& a : *arrays) {
    if (a.name == name || arrays->size() == 1) {
      *out = std::move(a);
      return Status();
    }
  }
  std::vector<std::string> names;
  for (const NamedArray& a : *arrays) names.push_back(a.name);
  return MICRORT_ERROR(kInvalidArgument, "%s: expected an array '%s', found %s: np.savez(file, **{'%s': x})",
                       path.c_str(), name.c_str(), NearNames(name, names).c_str(), name.c_str());
}

Status Converted(const std::string& path, const NamedArray& array, const InputSpec& spec, NamedArray* out) {
  return ConvertArray(array, spec.dtype, out).WithPrefix("%s: input '%s'", path.c_str(), spec.name.c_str());
}

bool IsOtherPicture(const std::string& extension) {
  constexpr const char* kExtensions[] = {"webp", "gif", "tif", "tiff", "heic", "heif", "avif", "jxl", "svg"};
  return std::any_of(std::begin(kExtensions), std::end(kExtensions),
                     [&](const char* other) { return extension == other; });
}

Status ParseArray(const std::string& path, Span<const uint8_t> bytes, const std::string& name,
                  NamedArray* out) {
  const std::string extension = Extension(path);
  if (extension == "npy") return ParseNpy(path, bytes, out);
  if (extension == "pb") return ParseTensorProto(path, bytes, out);
  if (IsOtherPicture(extension))
    return MICRORT_ERROR(kInvalidArgument,
                         "%s: pictures are read from .png, .jpg and .bmp; this writes one: convert %s x.png "
                         "(ImageMagick)",
                         path.c_str(), path.c_str());
  if (extension != "npz")
    return MICRORT_ERROR(
        kInvalidArgument,
        "%s: expected .npy, .npz, .pb, .png, .jpg or .bmp: np.save(\"x.npy\", array) writes the first",
        path.c_str());
  std::vector<NamedArray> arrays;
  MICRORT_RETURN_IF_ERROR(ParseNpz(path, bytes, &arrays));
  return PickMember(path, name, &arrays, out);
}

// Makes of preprocessing that gives real numbers one that gives what the input stores: (pixel - mean) * scale
// / input scale + zero point. A file may state a scale with which that is no number.
Status ToStored(const InputSpec& spec, Preprocess* preprocess) {
  if (!preprocess->quantizes || spec.scale == 0) return Status();
  std::vector<float>&mean = preprocess->mean, &scale = preprocess->scale;
  const size_t channels = std::max(mean.size(), scale.size());
  if (mean.size() == 1) mean.resize(channels, mean[0]);
  if (scale.size() == 1) scale.resize(channels, scale[0]);
  for (size_t c = 0; c < std::min(mean.size(), scale.size()); ++c) {
    scale[c] /= spec.scale;
    mean[c] -= static_cast<float>(spec.zero_point) / scale[c];
    if (std::isfinite(scale[c]) && scale[c] != 0 && std::isfinite(mean[c])) continue;
    return MICRORT_ERROR(kInvalidModel, "input '%s': pictures cannot be quantized with its scale %g",
                         spec.name.c_str(), static_cast<double>(spec.scale));
  }
  return Status();
}

Status LoadAny(const std::string& path, const InputSpec& spec, const Preprocess& preprocess,
               NamedArray* out) {
  std::vector<uint8_t> file;
  MICRORT_RETURN_IF_ERROR(ReadFile(path, &file));
  const Span<const uint8_t> bytes(file.data(), file.size());
  if (IsPicture(path)) {
    Preprocess stored = preprocess;
    MICRORT_RETURN_IF_ERROR(ToStored(spec, &stored));
    return LoadImage(path, bytes, {spec.dtype, spec.shape}, stored, out);
  }
  MICRORT_RETURN_IF_ERROR(ParseArray(path, bytes, spec.name, out));
  return Converted(path, *out, spec, out);
}

bool Fits(const std::vector<int64_t>& expected, const std::vector<int64_t>& found, size_t from_axis = 0) {
  if (expected.size() != found.size()) return false;
  for (size_t i = from_axis; i < expected.size(); ++i) {
    if (expected[i] >= 0 && expected[i] != found[i]) return false;
  }
  return true;
}

// How NumPy makes an array fit that has its axes in another order, or lacks the batch; "" where neither
// helps.
std::string HowToFit(const std::vector<int64_t>& expected, const std::vector<int64_t>& found) {
  constexpr struct {
    const char *what, *how;
    bool adds_batch;
    std::array<size_t, 4> axes;  // of `found`, the batch that is added included
  } kChanges[] = {
      {"NHWC where the input is NCHW", "x.transpose(0, 3, 1, 2)", false, {0, 3, 1, 2}},
      {"NCHW where the input is NHWC", "x.transpose(0, 2, 3, 1)", false, {0, 2, 3, 1}},
      {"HWC where the input is NCHW", "x.transpose(2, 0, 1)[None]", true, {0, 3, 1, 2}},
      {"CHW where the input is NHWC", "x.transpose(1, 2, 0)[None]", true, {0, 2, 3, 1}},
  };
  std::vector<int64_t> batched = found;
  batched.insert(batched.begin(), 1);
  if (Fits(expected, batched)) return "; the array is without the batch: np.save(file, x[None])";
  for (const auto& change : kChanges) {
    const std::vector<int64_t>& from = change.adds_batch ? batched : found;
    if (from.size() != change.axes.size()) continue;
    std::vector<int64_t> changed;
    for (const size_t axis : change.axes) changed.push_back(from[axis]);
    if (Fits(expected, changed))
      return std::string("; the array is ") + change.what + ": np.save(file, " + change.how + ")";
  }
  return "";
}

Status ShapeError(const std::string& path, const InputSpec& spec, const NamedArray& found) {
  return MICRORT_ERROR(kInvalidArgument, "%s: input '%s': expected shape %s, found %s%s", path.c_str(),
                       spec.name.c_str(), ShapeText(spec.shape).c_str(), ShapeText(found.shape).c_str(),
                       HowToFit(spec.shape, found.shape).c_str());
}

// Cuts `array` along its first axis into pieces of `shape`, which may lack that axis.
void Split(const NamedArray& array, const std::vector<int64_t>& shape, std::vector<NamedArray>* out) {
  NamedArray piece{array.name, array.dtype, shape, {}, array.stored};
  const size_t bytes = piece.elements() * SizeOf(piece.dtype);
  for (size_t at = 0; bytes > 0 && at + bytes <= array.data.size(); at += bytes) {
    piece.data.assign(array.data.begin() + static_cast<std::ptrdiff_t>(at),
                      array.data.begin() + static_cast<std::ptrdiff_t>(at + bytes));
    out->push_back(piece);
  }
}

}  // namespace

Status LoadArray(const std::string& path, const std::string& name, NamedArray* out) {
  if (IsPicture(path))
    return MICRORT_ERROR(kInvalidArgument, "%s: expected .npy, .npz or .pb for '%s', which has no shape",
                         path.c_str(), name.c_str());
  std::vector<uint8_t> file;
  MICRORT_RETURN_IF_ERROR(ReadFile(path, &file));
  return ParseArray(path, {file.data(), file.size()}, name, out);
}

Status LoadInput(const std::string& path, const InputSpec& spec, const Preprocess& preprocess,
                 NamedArray* out) {
  NamedArray array;
  MICRORT_RETURN_IF_ERROR(LoadAny(path, spec, preprocess, &array));
  if (!Fits(spec.shape, array.shape)) return ShapeError(path, spec, array);
  *out = std::move(array);
  return Status();
}

Status LoadSamples(const std::string& path, const InputSpec& spec, const Preprocess& preprocess,
                   std::vector<NamedArray>* out) {
  NamedArray array;
  MICRORT_RETURN_IF_ERROR(LoadAny(path, spec, preprocess, &array));
  return SamplesOf(path, array, spec, out);
}

Status SamplesOf(const std::string& path, const NamedArray& from, const InputSpec& spec,
                 std::vector<NamedArray>* out) {
  NamedArray array;
  MICRORT_RETURN_IF_ERROR(Converted(path, from, spec, &array));
  if (!array.shape.empty() && Fits(spec.shape, {array.shape.begin() + 1, array.shape.end()})) {
    Split(array, {array.shape.begin() + 1, array.shape.end()}, out);
    return Status();
  }
  if (array.shape.empty() || !Fits(spec.shape, array.shape, 1)) {
    if (!Fits(spec.shape, array.shape)) return ShapeError(path, spec, array);
    out->push_back(std::move(array));
    return Status();
  }
  std::vector<int64_t> shape = array.shape;
  shape[0] = spec.shape[0] < 0 ? 1 : spec.shape[0];
  if (shape[0] == 0 || array.shape[0] % shape[0] != 0) return ShapeError(path, spec, array);
  Split(array, shape, out);
  return Status();
}

}  // namespace micrort::io
