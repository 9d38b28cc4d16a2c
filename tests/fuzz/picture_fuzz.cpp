// Pictures, for inputs of all layouts and sizes.

#include "tests/fuzz/harness.h"
#include "tools/io/image.h"

namespace micrort::fuzz {
namespace {

Status Load(Span<const uint8_t> bytes, const std::vector<int64_t>& shape, io::ResizeFit fit) {
  io::Preprocess preprocess;
  preprocess.fit = fit;
  io::NamedArray array;
  return io::LoadImage("picture", bytes, {DType::kUInt8, shape}, preprocess, &array);
}

Status Run(const std::string& text) {
  const Span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  MICRORT_RETURN_IF_ERROR(Load(bytes, {1, 3, -1, -1}, io::ResizeFit::kStretch));
  MICRORT_RETURN_IF_ERROR(Load(bytes, {1, 5, 7, 3}, io::ResizeFit::kStretch));
  MICRORT_RETURN_IF_ERROR(Load(bytes, {6, 2}, io::ResizeFit::kLetterbox));
  return Load(bytes, {3, 3, 8}, io::ResizeFit::kCrop);
}

}  // namespace

const Harness kPicture = {"picture", Run, MutateBytes};

}  // namespace micrort::fuzz
