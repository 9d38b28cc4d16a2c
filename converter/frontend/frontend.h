#pragma once
// Models of other frameworks in, graphs of ours out.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/common/input_values.h"
#include "converter/frontend/common/offer.h"
#include "converter/ir/graph.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend {

enum class SourceFormat { kUnknown, kOnnx, kTflite, kCaffe, kTensorflow, kTorchscript };

// The second file of formats that have two.
struct WeightsFile {
  std::string path;  // for messages
  Span<const uint8_t> bytes;
};

// The element type of an input, by its name or position.
struct InputType {
  std::string input;
  DType dtype = DType::kUnknown;
  bool is_complex = false;  // the last dimension of its shape is of real and imaginary parts
};

struct ImportOptions {
  // Input shapes that take the place of those in the file, by the input's name or its position ("#0");
  // kDynamic leaves a dimension open.
  std::vector<std::pair<std::string, std::vector<int64_t>>> input_shapes;
  // Element types of inputs, for formats that do not say them.
  std::vector<InputType> input_types = {};
  // Inputs that become constants; pictures among the files are prepared like this.
  std::vector<InputValue> input_values = {};
  io::Preprocess preprocess = {};
  // Values that become the outputs; whatever these do not need is not imported. Empty: the model's own.
  std::vector<std::string> outputs = {};
  // Where files lie that the model names for its tensors' data; without it, such a model is refused.
  std::optional<std::string> folder = {};
  std::optional<WeightsFile> weights = {};
  // For TensorFlow: tensors that become the inputs; the nodes that compute them are not read (empty: the
  // model's own).
  std::vector<std::string> feeds = {};
  // Which signature (of a SavedModel, or TFLite's), and which graph of a SavedModel; tfcompile's
  // configuration, a file.
  std::string signature = {}, tag_set = {}, config = {};
  // Unknown operators of these are the user's own; see schema::CustomOptions.
  std::set<std::string> custom_domains = {};
  // Whether caches of keys and values are to become states (ir::KeepCaches): all that is in them counts then,
  // for a batch of one.
  bool keeps_caches = false;
  // Whether variables that `config` lists are states, as they are to tfcompile, and not inputs.
  bool config_variables_are_states = false;
};

// Operators of a valid model that cannot be imported: one entry an operator and reason, with all its nodes.
struct UnsupportedOp {
  std::string op;  // "Loop", with its domain where that is not ONNX's own: "com.acme.Blur"
  int opset = 0;   // 0: its format has none
  std::string reason;
  std::vector<std::string> nodes;
};

struct ImportDiagnostics {
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  // on how the model is read, where nothing is wrong
  std::vector<std::string> files;  // that were read beside the model, which nothing may replace
  std::vector<UnsupportedOp> unsupported;
  std::vector<ConstantInput> constant_inputs;  // by ImportOptions::input_values
  // Outputs whose name in the source another input or output has: the key is the name they got, the value the
  // source's.
  std::map<std::string, std::string> renamed_outputs;
};

// "onnx"; null for kUnknown.
const char* FormatName(SourceFormat format);

// Formats that can be read, by name.
std::map<std::string, SourceFormat> ReadableFormats();
std::string ReadableNames();  // separated by commas

// Tells the format from the content. kInvalidModel if it is none that we know, kUnsupported if it is one that
// we know of but cannot read.
Status DetectFormat(Span<const uint8_t> bytes, SourceFormat* format);

// Reads a model of the given format (kUnknown: detected); it has to be one that can be read. `path` is for
// messages only. On kUnsupported because of operators, *diagnostics lists all of them.
Status ImportModel(const std::string& path, Span<const uint8_t> bytes, SourceFormat format,
                   const ImportOptions& options, ir::Module* out, ImportDiagnostics* diagnostics);

// What can be converted of such a model; in formats that have no signatures, that is one graph. Errors as
// ImportModel.
Status ListModel(const std::string& path, Span<const uint8_t> bytes, SourceFormat format,
                 const ImportOptions& options, std::vector<Offer>* out);

// The names of a list of signatures or tag sets, for messages: 'a', 'b'.
std::string QuotedNames(const std::set<std::string>& names);

}  // namespace micrort::frontend
