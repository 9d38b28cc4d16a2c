#include "converter/frontend/other_formats.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "converter/frontend/tensorflow/wire_format.h"

namespace micrort::frontend {

namespace {

constexpr char kExportTorch[] = "export the network with its code, by torch.onnx.export or torch.jit.trace";
constexpr char kExportKeras[] =
    "in Python, model.export(\"folder\") makes a SavedModel, which can be converted";

bool HasAt(Span<const uint8_t> bytes, size_t offset, std::string_view magic) {
  return bytes.size() >= offset + magic.size() &&
         std::memcmp(bytes.data() + offset, magic.data(), magic.size()) == 0;
}

std::string_view TextOf(Span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A zip archive with such a file, by the list at its end.
bool IsArchiveWith(Span<const uint8_t> bytes, std::string_view file) {
  constexpr size_t kList = 1 << 16;
  if (!HasAt(bytes, 0, "PK\x03\x04")) return false;
  const std::string_view text = TextOf(bytes);
  return text.substr(text.size() - std::min(text.size(), kList)).find(file) != std::string_view::npos;
}

// A zip archive whose first file is an array.
bool BeginsWithArray(Span<const uint8_t> bytes) {
  constexpr size_t kLength = 26, kName = 30;
  constexpr std::string_view kSuffix = ".npy";
  if (!HasAt(bytes, 0, "PK\x03\x04") || bytes.size() < kName) return false;
  const size_t length = bytes[kLength] | size_t{bytes[kLength + 1]} << 8;
  return length >= kSuffix.size() && HasAt(bytes, kName + length - kSuffix.size(), kSuffix);
}

// The length of a JSON object, and the object.
bool IsSafetensors(Span<const uint8_t> bytes) {
  if (bytes.size() < 10 || bytes[8] != '{') return false;
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;) length = length << 8 | bytes[i];
  return length >= 2 && length <= bytes.size() - 8;
}

bool IsJsonWith(Span<const uint8_t> bytes, std::string_view key) {
  const std::string_view text = TextOf(bytes);
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' && text.find(key) != std::string_view::npos;
}

// A version, then fields of which those that hold networks have numbers above 200.
bool IsCoreMl(Span<const uint8_t> bytes) {
  std::vector<tensorflow::WireField> fields;
  if (!HasAt(bytes, 0, "\x08") || !tensorflow::ReadWireFields(bytes, 16, &fields)) return false;
  constexpr uint32_t kFirstKind = 200, kLastKind = 3000;
  return std::any_of(fields.begin(), fields.end(), [](const tensorflow::WireField& field) {
    return field.type == 2 && field.number >= kFirstKind && field.number <= kLastKind;
  });
}

}  // namespace

Status KnownButNotRead(Span<const uint8_t> bytes) {
  if (HasAt(bytes, 4, "MCRT")) {
    return MICRORT_ERROR(kInvalidModel,
                         "the file is a MicroRT model already (--realign takes what flatc wrote)");
  }
  if (HasAt(bytes, 0, "\x89HDF"))
    return MICRORT_ERROR(kUnsupported, "Keras HDF5 models cannot be read; %s", kExportKeras);
  if (IsArchiveWith(bytes, "model.weights.h5"))
    return MICRORT_ERROR(kUnsupported, "this is a model of Keras (.keras); %s", kExportKeras);
  if (BeginsWithArray(bytes))
    return MICRORT_ERROR(kUnsupported, "this is an archive of NumPy arrays (.npz), not a model");
  if (IsSafetensors(bytes))
    return MICRORT_ERROR(kUnsupported, "this file holds weights alone (.safetensors); %s", kExportTorch);
  if (HasAt(bytes, 0, "GGUF")) {
    return MICRORT_ERROR(
        kUnsupported, "this file holds weights for llama.cpp (.gguf), without the network; %s", kExportTorch);
  }
  if (IsJsonWith(bytes, "\"modelTopology\"") || IsJsonWith(bytes, "\"weightsManifest\"")) {
    return MICRORT_ERROR(
        kUnsupported,
        "this is a model of TensorFlow.js (model.json); convert the SavedModel or Keras model that "
        "it was made from");
  }
  if (IsCoreMl(bytes)) {
    return MICRORT_ERROR(kUnsupported,
                         "this is a model of Core ML (.mlmodel); convert the model that it was made from");
  }
  return Status();
}

}  // namespace micrort::frontend
