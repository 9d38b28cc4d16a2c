#include "tools/io/file_kinds.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "tools/io/file.h"
#include "tools/io/wire_format.h"
#include "tools/io/wrong_download.h"

namespace micrort::io {

namespace {

constexpr char kConvertOrigin[] =
    "convert the model that it was made from: mnnconvert model.onnx -o model.fb";
constexpr char kExportTorch[] =
    "build the model in Python and export it: torch.onnx.export(model.eval(), example, \"model.onnx\"); "
    "then mnnconvert model.onnx -o model.fb";
constexpr char kExportKeras[] =
    "load it in Python and write a SavedModel: model.export(\"folder\"); then mnnconvert folder -o model.fb";
constexpr char kExportPaddle[] =
    "convert it to ONNX: paddle2onnx --model_dir FOLDER --save_file model.onnx; then mnnconvert model.onnx "
    "-o model.fb";
constexpr char kExportOnnx[] = "export it to ONNX; then mnnconvert model.onnx -o model.fb";
constexpr char kUnpack[] = "unpack it, and convert the model inside";
constexpr char kTakesSamples[] =
    "such files are samples: mnnconvert model.onnx -o model.fb --quant int8 --calib FILE";

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
  std::vector<WireField> fields;
  if (!HasAt(bytes, 0, "\x08") || !ReadWireFields(bytes, 16, &fields)) return false;
  constexpr uint32_t kFirstKind = 200, kLastKind = 3000;
  return std::any_of(fields.begin(), fields.end(), [](const WireField& field) {
    return field.type == 2 && field.number >= kFirstKind && field.number <= kLastKind;
  });
}

// Files that begin with a signature.
struct Beginning {
  size_t offset;
  std::string_view magic;
  const char *what, *instead;
};

constexpr Beginning kBeginnings[] = {
    {0, "\x89HDF", "this is an HDF5 file (.h5: a Keras model, or its weights)", kExportKeras},
    {0, "GGUF", "this file holds weights for llama.cpp (.gguf) without the network", kExportTorch},
    {4, "ET12", "this is an ExecuTorch program (.pte)", kExportTorch},
    {4, "ORTM", "this is a model in ONNX Runtime's own format (.ort)",
     "convert the .onnx that it was made from: mnnconvert model.onnx -o model.fb"},
    {4, "CIR0", "this is a Circle model (.circle)",
     "convert the .tflite that it was made from: mnnconvert model.tflite -o model.fb"},
    {0, "7767517\n", "this is an ncnn network (.param)", kConvertOrigin},
    {0, "7767517\r", "this is an ncnn network (.param)", kConvertOrigin},
    {0, "[net]", "this is a Darknet network (.cfg)", kExportOnnx},
    {0, "ftrt", "this is a TensorRT engine", kConvertOrigin},
    {0, "ptrt", "this is a TensorRT engine", kConvertOrigin},
    {0, "RKNN", "this is an RKNN model", kConvertOrigin},
    {0, "\x93NUMPY", "this is a NumPy array (.npy), not a model", kTakesSamples},
    {0, "\x89PNG", "this is a picture, not a model", kTakesSamples},
    {0, "\xff\xd8\xff", "this is a picture, not a model", kTakesSamples},
    {0, "%PDF-", "this is a PDF document, not a model", "convert the model's file"},
    {0, "\x1f\x8b\x08", "this is an archive (gzip)", kUnpack},
    {0, "BZh", "this is an archive (bzip2)", kUnpack},
    {0,
     "\xfd"
     "7zXZ",
     "this is an archive (xz)", kUnpack},
    {0, "7z\xbc\xaf\x27\x1c", "this is an archive (7z)", kUnpack},
    {0, "\x28\xb5\x2f\xfd", "this is an archive (zstd)", kUnpack},
    {0, "Rar!\x1a\x07", "this is an archive (rar)", kUnpack},
    {0, "\x80\x03", "this is a Python pickle (.pkl)", kExportTorch},
    {0, "\x80\x04\x95", "this is a Python pickle (.pkl)", kExportTorch},
    {0, "\x80\x05\x95", "this is a Python pickle (.pkl)", kExportTorch},
    {257, "ustar", "this is an archive (tar)", kUnpack},
};

// Texts and archives, by what is in them.
struct Content {
  bool (*is)(Span<const uint8_t> bytes);
  const char *what, *instead;
};

constexpr Content kContents[] = {
    {[](Span<const uint8_t> bytes) { return IsArchiveWith(bytes, "model.weights.h5"); },
     "this is a Keras model (.keras)", kExportKeras},
    {[](Span<const uint8_t> bytes) { return IsArchiveWith(bytes, "saved_model.pb"); },
     "this is a zip archive of a TensorFlow SavedModel",
     "unzip it, and convert the folder that holds saved_model.pb: mnnconvert folder -o model.fb"},
    {[](Span<const uint8_t> bytes) {
       return !IsArchiveWith(bytes, "data.pkl") &&
              (IsArchiveWith(bytes, ".tflite") || IsArchiveWith(bytes, ".onnx"));
     },
     "this is a zip archive of a model", "unzip it, and convert the model inside"},
    {[](Span<const uint8_t> bytes) { return IsArchiveWith(bytes, "Manifest.json"); },
     "this is a Core ML model (.mlpackage)", kConvertOrigin},
    {BeginsWithArray, "this is an archive of NumPy arrays (.npz), not a model", kTakesSamples},
    {IsSafetensors, "this file holds weights without the network (.safetensors)", kExportTorch},
    {[](Span<const uint8_t> bytes) {
       return IsJsonWith(bytes, "\"modelTopology\"") || IsJsonWith(bytes, "\"weightsManifest\"");
     },
     "this is a TensorFlow.js model (model.json)",
     "convert the SavedModel or Keras model that it was made from: mnnconvert folder -o model.fb"},
    {[](Span<const uint8_t> bytes) { return IsJsonWith(bytes, "\"arg_nodes\""); },
     "this is an MXNet network (symbol.json)", kExportOnnx},
    {[](Span<const uint8_t> bytes) { return IsJsonWith(bytes, "\"keras_version\""); },
     "this is the architecture of a Keras model, without weights", kExportKeras},
    {[](Span<const uint8_t> bytes) {
       return IsJsonWith(bytes, "\"pir\"") && IsJsonWith(bytes, "\"program\"");
     },
     "this is a Paddle model", kExportPaddle},
    {[](Span<const uint8_t> bytes) {
       return HasAt(bytes, 0, "<") && TextOf(bytes).find("<net ") != std::string_view::npos &&
              TextOf(bytes).find("<layers>") != std::string_view::npos;
     },
     "this is an OpenVINO network (.xml)", kConvertOrigin},
    {IsCoreMl, "this is a Core ML model (.mlmodel)", kConvertOrigin},
};

// Files without a signature: their names say what they are.
struct Ending {
  std::string_view ending;
  const char *what, *instead;
};

constexpr Ending kEndings[] = {
    {".mnn", "MNN models", kConvertOrigin},
    {".mlpackage", "Core ML models", kConvertOrigin},  // a folder
    {".bin", "weights of OpenVINO, ncnn or PyTorch",
     "convert the model that they belong to: mnnconvert model.onnx -o model.fb"},
    {".pdmodel", "Paddle models", kExportPaddle},
    {".pdiparams", "Paddle weights", kExportPaddle},
    {".pdparams", "Paddle weights", kExportPaddle},
    {".nb", "Paddle Lite models", kExportPaddle},
    {".weights", "Darknet weights", kExportOnnx},
    {".params", "MXNet weights", kExportOnnx},
    {".dlc", "Qualcomm SNPE models", kConvertOrigin},
    {".tmfile", "Tengine models", kConvertOrigin},
    {".engine", "TensorRT engines", kConvertOrigin},
    {".plan", "TensorRT engines", kConvertOrigin},
    {".trt", "TensorRT engines", kConvertOrigin},
    {".uff", "TensorRT UFF models", kConvertOrigin},
    {".om", "Ascend models", kConvertOrigin},
    {".rknn", "RKNN models", kConvertOrigin},
    {".hef", "Hailo models", kConvertOrigin},
    {".blob", "OpenVINO models for one device", kConvertOrigin},
    {".mlir", "MLIR programs", kConvertOrigin},
    {".nnef", "NNEF networks", kConvertOrigin},
    {".index", "indices of TensorFlow checkpoints",
     "convert a SavedModel, or freeze the graph with its variables"},
    {".pkl", "Python pickles", kExportTorch},
    {".pickle", "Python pickles", kExportTorch},
    {".joblib", "Python pickles", kExportTorch},
    {".py", "Python sources", kExportTorch},
};

}  // namespace

Status KnownButNotRead(Span<const uint8_t> bytes) {
  if (HasAt(bytes, 4, "MCRT")) {
    return MICRORT_ERROR(
        kInvalidModel,
        "the file is a MicroRT model already: run it with micrort-run (--realign reads what flatc wrote)");
  }
  MICRORT_RETURN_IF_ERROR(CheckDownload(bytes));
  for (const Beginning& known : kBeginnings) {
    if (HasAt(bytes, known.offset, known.magic))
      return MICRORT_ERROR(kUnsupported, "%s; %s", known.what, known.instead);
  }
  for (const Content& known : kContents) {
    if (known.is(bytes)) return MICRORT_ERROR(kUnsupported, "%s; %s", known.what, known.instead);
  }
  return Status();
}

namespace {

bool EndsWith(const std::string& path, std::string_view ending) {
  return path.size() >= ending.size() &&
         path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

// A model that states its operator set and has a graph.
bool IsOnnx(Span<const uint8_t> bytes) {
  constexpr uint32_t kGraph = 7, kOperatorSet = 8, kLast = 25;
  std::vector<WireField> fields;
  if (!ReadWireFields(bytes, 32, &fields)) return false;
  const auto has = [&](uint32_t number) {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const WireField& f) { return f.number == number && f.type == 2; });
  };
  return has(kGraph) && has(kOperatorSet) &&
         std::all_of(fields.begin(), fields.end(), [](const WireField& f) { return f.number <= kLast; });
}

// TorchScript archives have their constants in a file of their own; those of torch.save have none.
bool IsTorchSave(Span<const uint8_t> bytes) {
  return IsArchiveWith(bytes, "data.pkl") && !IsArchiveWith(bytes, "constants.pkl");
}

// Formats that mnnconvert reads.
constexpr struct {
  const char *ending, *what;
} kSources[] = {{".onnx", "an ONNX model"},          {".tflite", "a TFLite model"},
                {".lite", "a TFLite model"},         {".pb", "a graph of TensorFlow"},
                {".pt", "a PyTorch model"},          {".pth", "a PyTorch model"},
                {".ptl", "a PyTorch model"},         {".torchscript", "a TorchScript model"},
                {".prototxt", "a network of Caffe"}, {".caffemodel", "a network of Caffe"}};

const char* SourceOf(const std::string& path, Span<const uint8_t> bytes) {
  if (HasAt(bytes, 4, "TFL3")) return "a TFLite model";
  if (IsOnnx(bytes)) return "an ONNX model";
  if (IsArchiveWith(bytes, "constants.pkl")) return "a TorchScript model";
  for (const auto& source : kSources) {
    if (EndsWith(path, source.ending)) return source.what;
  }
  return nullptr;
}

}  // namespace

Status ExplainNoMicrortModel(const std::string& path, const Status& unread) {
  if (IsDirectory(path)) {
    return MICRORT_ERROR(
        kInvalidModel,
        "%s: expected a MicroRT model (.fb), found a folder; a SavedModel is converted first: "
        "mnnconvert %s -o model.fb",
        path.c_str(), path.c_str());
  }
  std::vector<uint8_t> file;
  if (unread.code() != StatusCode::kInvalidModel || !ReadFile(path, &file).ok()) return unread;
  const Span<const uint8_t> bytes(file.data(), file.size());
  if (HasAt(bytes, 4, "MCRT")) return unread;
  if (bytes.empty())
    return MICRORT_ERROR(kInvalidModel, "%s: the file is empty: copy or download it again", path.c_str());
  const Status other =
      IsTorchSave(bytes)
          ? MICRORT_ERROR(kInvalidModel,
                          "this file was written by torch.save, without the network's code; %s", kExportTorch)
          : KnownButNotRead(bytes);
  if (!other.ok()) return MICRORT_ERROR(kInvalidModel, "%s: %s", path.c_str(), other.message());
  const bool may_be_text = EndsWith(path, ".prototxt");
  if (!may_be_text) MICRORT_RETURN_IF_ERROR(CheckAnswer(bytes).WithPrefix("%s", path.c_str()));
  const char* source = SourceOf(path, bytes);
  if (source == nullptr)
    return MICRORT_ERROR(kInvalidModel, "%s; MicroRT models are made so: mnnconvert model.onnx -o model.fb",
                         unread.message());
  // A source under the name of a converted model is converted into another file.
  std::filesystem::path to = std::filesystem::u8path(path);
  to.replace_extension(to.extension() == ".fb" ? ".converted.fb" : ".fb");
  const std::string converted = to.u8string();
  return MICRORT_ERROR(kInvalidModel,
                       "%s: expected a MicroRT model (.fb), found %s; convert it first: mnnconvert %s -o %s",
                       path.c_str(), source, path.c_str(), converted.c_str());
}

Status KnownByName(const std::string& path, const Status& unread) {
  for (const Ending& known : kEndings) {
    if (!EndsWith(path, known.ending)) continue;
    return MICRORT_ERROR(kUnsupported, "files that end in %s are %s, which cannot be read; %s (%s)",
                         std::string(known.ending).c_str(), known.what, known.instead, unread.message());
  }
  return unread;
}

}  // namespace micrort::io
