#include "converter/frontend/frontend.h"

#include "converter/frontend/caffe/caffe_frontend.h"
#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/onnx_frontend.h"
#include "converter/frontend/tensorflow/tensorflow_frontend.h"
#include "converter/frontend/tflite/tflite_frontend.h"
#include "converter/frontend/torchscript/torchscript_frontend.h"
#include "tools/io/file_kinds.h"
#include "tools/io/wrong_download.h"

namespace micrort::frontend {

namespace {

// What of ImportOptions a format knows; the rest is refused, not passed over.
enum Takes : unsigned {
  kWeightsFile = 1,
  kSignature = 2,
  kTagSet = 4,
  kConfig = 8,
  kInputTypes = 16,
  kCustomDomains = 32,
};

// A format that can be read. Files are shown to the formats in the order of the table.
struct Format {
  SourceFormat format;
  const char* name;
  unsigned takes;  // of Takes, a bit each
  // A first look at the content, which the import proves right or wrong.
  bool (*looks_like)(Span<const uint8_t> bytes);
  // Errors do not name the file; *out and *diagnostics are empty before.
  Status (*import)(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                   ImportDiagnostics* diagnostics);
  // Null: what the import finds is listed.
  Status (*list)(Span<const uint8_t> bytes, const ImportOptions& options, std::vector<Offer>* out) = nullptr;
  // The file does not say the shapes of inputs: `list` is for imports that lack them.
  bool needs_shapes = false;
};

constexpr Format kFormats[] = {
    {SourceFormat::kTflite, "tflite", kSignature | kCustomDomains, tflite::LooksLikeTflite,
     tflite::ImportTflite, tflite::ListTflite},
    {SourceFormat::kCaffe, "caffe", kWeightsFile, caffe::LooksLikeCaffe, caffe::ImportCaffe},
    {SourceFormat::kTensorflow, "tensorflow", kSignature | kTagSet | kConfig | kCustomDomains,
     tensorflow::LooksLikeTensorflow, tensorflow::ImportTensorflow, tensorflow::ListTensorflow},
    {SourceFormat::kTorchscript, "torchscript", kInputTypes, torchscript::LooksLikeTorchscript,
     torchscript::ImportTorchscript, torchscript::ListTorchscript, true},
    {SourceFormat::kOnnx, "onnx", kCustomDomains, onnx::LooksLikeModelProto, onnx::ImportOnnx,
     onnx::ListOnnx},
};

constexpr char kEmpty[] = "the file is empty: copy or download it again";

const Format* Find(SourceFormat format) {
  for (const Format& f : kFormats) {
    if (f.format == format) return &f;
  }
  return nullptr;
}

std::vector<OfferedTensor> Offered(const ir::Graph& graph, const std::vector<ir::ValueId>& ids,
                                   size_t count) {
  std::vector<OfferedTensor> tensors;
  for (size_t i = 0; i < count; ++i) {
    const ir::Value& value = graph.value(ids[i]);
    tensors.push_back({value.name, value.dtype, value.has_shape, value.shape, ""});
  }
  return tensors;
}

Status ListImported(const std::string& path, Span<const uint8_t> bytes, SourceFormat format,
                    const ImportOptions& options, std::vector<Offer>* out) {
  ir::Module module;
  ImportDiagnostics diagnostics;
  MICRORT_RETURN_IF_ERROR(ImportModel(path, bytes, format, options, &module, &diagnostics));
  const ir::Graph& graph = module.entry();
  out->push_back({"", "", Offered(graph, graph.inputs, graph.caller_inputs()),
                  Offered(graph, graph.outputs, graph.caller_outputs())});
  for (const ConstantInput& input : diagnostics.constant_inputs)
    out->back().inputs.push_back({input.name, input.dtype, true, input.shape, input.value});
  return Status();
}

// Into what a source says that it offers.
Status AddValues(const ImportOptions& options, std::vector<Offer>* offers) {
  for (const InputValue& given : options.input_values) {
    bool is_input = false;
    for (Offer& offer : *offers) {
      for (size_t i = 0; i < offer.inputs.size(); ++i) {
        if (given.input != offer.inputs[i].name && given.input != "#" + std::to_string(i)) continue;
        offer.inputs[i].value = given.text;
        is_input = true;
      }
    }
    if (is_input) continue;
    return MICRORT_ERROR(kInvalidArgument, "--input-value: '%s' is no input that the model offers",
                         given.input.c_str());
  }
  return Status();
}

Status CheckOptions(const Format& format, const ImportOptions& options) {
  const struct {
    unsigned bit;
    bool is_given;
    const char *flag, *why;
  } given[] = {
      {kWeightsFile, options.weights.has_value(), "--weights", "is one file"},
      {kSignature, !options.signature.empty(), "--signature", "has no signatures"},
      {kTagSet, !options.tag_set.empty(), "--tag-set", "has no tags"},
      {kConfig, !options.config.empty(), "--config", "needs none"},
      {kInputTypes, !options.input_types.empty(), "--input-type", "states the types of its inputs itself"},
      {kCustomDomains, !options.custom_domains.empty(), "--custom-domain",
       "cannot have operators of one's own here"},
  };
  for (const auto& option : given) {
    if (!option.is_given || (format.takes & option.bit) != 0) continue;
    return MICRORT_ERROR(kInvalidArgument, "%s: a model of the format %s %s", option.flag, format.name,
                         option.why);
  }
  return Status();
}

// A file of the format that was asked for is read, whatever else it looks like; where that fails, what it
// really is says more.
Status ExplainGiven(Span<const uint8_t> bytes, const Format& given, const Status& unread) {
  if (bytes.empty()) return Invalid(kEmpty);
  const Status other = io::KnownButNotRead(bytes);
  if (!other.ok()) return other.WithPrefix("--from %s", given.name);
  if (given.looks_like(bytes)) return unread;
  for (const Format& f : kFormats) {
    if (!f.looks_like(bytes)) continue;
    return Invalid("--from {}: the file looks like a model of the format {} ({})", given.name, f.name,
                   unread.message());
  }
  return unread;
}

Status Import(Span<const uint8_t> bytes, SourceFormat format, const ImportOptions& options, ir::Module* out,
              ImportDiagnostics* diagnostics) {
  const bool is_given = format != SourceFormat::kUnknown;
  if (!is_given) MICRORT_RETURN_IF_ERROR(DetectFormat(bytes, &format));
  const Format* found = Find(format);
  if (found == nullptr) return MICRORT_ERROR(kInvalidArgument, "the format cannot be read");
  MICRORT_RETURN_IF_ERROR(CheckOptions(*found, options));
  if (options.weights) {
    MICRORT_RETURN_IF_ERROR(
        io::CheckDownload(options.weights->bytes).WithPrefix("%s", options.weights->path.c_str()));
  }
  const Status status = found->import(bytes, options, out, diagnostics);
  const bool is_read_wrong = status.code() == StatusCode::kInvalidModel ||
                             (status.code() == StatusCode::kUnsupported && !found->looks_like(bytes));
  if (is_given && is_read_wrong) return ExplainGiven(bytes, *found, status);
  MICRORT_RETURN_IF_ERROR(status);
  out->source_format = found->name;
  return Status();
}

}  // namespace

Status ListModel(const std::string& path, Span<const uint8_t> bytes, SourceFormat format,
                 const ImportOptions& options, std::vector<Offer>* out) {
  if (format == SourceFormat::kUnknown) {
    Status status = DetectFormat(bytes, &format);
    if (status.code() == StatusCode::kInvalidModel && !bytes.empty()) status = io::KnownByName(path, status);
    MICRORT_RETURN_IF_ERROR(status.WithPrefix("%s", path.c_str()));
  }
  const Format* found = Find(format);
  if (found == nullptr || found->list == nullptr || found->needs_shapes) {
    const Status imported = ListImported(path, bytes, format, options, out);
    const bool may_lack_shapes = found != nullptr && found->needs_shapes && options.input_shapes.empty();
    if (!may_lack_shapes || imported.code() != StatusCode::kUnsupported) return imported;
    out->clear();
    return found->list(bytes, options, out).ok() ? Status() : imported;
  }
  Status status = found->list(bytes, options, out);
  if (status.code() == StatusCode::kInvalidModel) status = ExplainGiven(bytes, *found, status);
  MICRORT_RETURN_IF_ERROR(status.WithPrefix("%s", path.c_str()));
  return AddValues(options, out).WithPrefix("%s", path.c_str());
}

std::string QuotedNames(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

const char* FormatName(SourceFormat format) {
  const Format* found = Find(format);
  return found == nullptr ? nullptr : found->name;
}

std::string ReadableNames() {
  std::string names;
  for (const Format& f : kFormats) names += (names.empty() ? "" : ", ") + std::string(f.name);
  return names;
}

std::map<std::string, SourceFormat> ReadableFormats() {
  std::map<std::string, SourceFormat> formats;
  for (const Format& f : kFormats) formats[f.name] = f.format;
  return formats;
}

Status DetectFormat(Span<const uint8_t> bytes, SourceFormat* format) {
  *format = SourceFormat::kUnknown;
  if (bytes.empty()) return Invalid(kEmpty);
  MICRORT_RETURN_IF_ERROR(io::KnownButNotRead(bytes));
  for (const Format& f : kFormats) {
    if (!f.looks_like(bytes)) continue;
    *format = f.format;
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(io::CheckAnswer(bytes));
  return Invalid("the format is not known; formats that can be read: {}", ReadableNames());
}

Status ImportModel(const std::string& path, Span<const uint8_t> bytes, SourceFormat format,
                   const ImportOptions& options, ir::Module* out, ImportDiagnostics* diagnostics) {
  *out = ir::Module();
  *diagnostics = ImportDiagnostics();
  Status status = Import(bytes, format, options, out, diagnostics);
  if (format == SourceFormat::kUnknown && status.code() == StatusCode::kInvalidModel && !bytes.empty())
    status = io::KnownByName(path, status);
  return status.WithPrefix("%s", path.c_str());
}

}  // namespace micrort::frontend
