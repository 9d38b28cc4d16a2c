#include "converter/frontend/common/saved_model.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <algorithm>
#include <filesystem>
#include <limits>

namespace micrort::frontend {
namespace {

using google::protobuf::internal::WireFormatLite;
constexpr int kSchemaVersion = 1, kMetaGraphs = 2;

}  // namespace

bool IsSavedModel(Span<const uint8_t> bytes) {
  const size_t size = std::min<size_t>(bytes.size(), std::numeric_limits<int>::max());
  google::protobuf::io::CodedInputStream in(bytes.data(), static_cast<int>(size));
  bool has_meta_graph = false;
  while (const uint32_t tag = in.ReadTag()) {
    const int field = WireFormatLite::GetTagFieldNumber(tag);
    const bool is_message = WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    if (field != (is_message ? kMetaGraphs : kSchemaVersion)) return false;
    uint32_t length = 0;
    uint64_t version = 0;
    if (!is_message) {
      if (!in.ReadVarint64(&version)) return false;
      continue;
    }
    // Its first fields are messages, numbered 1 and 2; text, as ONNX has here, starts otherwise.
    const void* content = nullptr;
    int available = 0;
    if (!in.ReadVarint32(&length) || length == 0 || !in.GetDirectBufferPointer(&content, &available))
      return false;
    const uint8_t first = *static_cast<const uint8_t*>(content);
    has_meta_graph = first == 0x0a || first == 0x12;
    if (!has_meta_graph || !in.Skip(static_cast<int>(length))) return false;
  }
  return has_meta_graph;
}

Status RefuseSavedModel() {
  return MICRORT_ERROR(
      kUnsupported,
      "a TensorFlow SavedModel cannot be read; export it to ONNX, as tf2onnx does: python -m "
      "tf2onnx.convert --saved-model FOLDER --output model.onnx");
}

Status RefuseFolder(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::path(path) / "saved_model.pb", error))
    return RefuseSavedModel().WithPrefix("%s", path.c_str());
  return MICRORT_ERROR(kIo, "%s: expected a model file, found a folder", path.c_str());
}

}  // namespace micrort::frontend
