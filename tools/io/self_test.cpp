#include "tools/io/self_test.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/io/session.h"
#include "tools/io/similarity.h"
#include "tools/io/tensor_floats.h"

namespace micrort::io {
namespace {

// Finds keys of a file that anybody wrote in logarithmic time, which an ordered_json does not.
using Json = nlohmann::json;

// A value takes some fifty times the bytes of its text.
constexpr size_t kMostDescription = size_t{8} << 20;

Json StoreArray(const NamedArray& array, schema::ModelT* model) {
  const size_t buffer = model->buffers.size();
  model->buffers.push_back(std::make_unique<schema::BufferT>());
  model->buffers.back()->data.assign(array.data.begin(), array.data.end());
  return {{"name", array.name}, {"dtype", Name(array.dtype)}, {"shape", array.shape}, {"buffer", buffer}};
}

Json StoreArrays(const std::vector<NamedArray>& arrays, schema::ModelT* model) {
  Json stored = Json::array();
  for (const NamedArray& array : arrays) stored.push_back(StoreArray(array, model));
  return stored;
}

Status Broken(const char* what) {
  return MICRORT_ERROR(kInvalidModel, "metadata '%s': expected %s", kSelfTestKey, what);
}

DType DTypeOf(const std::string& name) {
  for (int t = 1; t < kDTypeCount; ++t) {
    if (name == Name(static_cast<DType>(t))) return static_cast<DType>(t);
  }
  return DType::kUnknown;
}

// The file is anybody's: nothing of the description is believed.
class Reader {
 public:
  Reader(const schema::Model& model, size_t file_bytes) : model_(model), bytes_left_(file_bytes) {}

  Status Read(const Json& description, SelfTest* test) {
    const auto min_snr = description.find("min_snr_db");
    const auto runs = description.find("runs");
    if (min_snr == description.end() || !min_snr->is_number()) return Broken("a number 'min_snr_db'");
    if (runs == description.end() || !runs->is_array() || runs->empty()) return Broken("an array 'runs'");
    test->min_snr_db = min_snr->get<double>();
    test->runs.resize(runs->size());
    for (size_t i = 0; i < runs->size(); ++i) {
      MICRORT_RETURN_IF_ERROR(ReadArrays((*runs)[i], "inputs", &test->runs[i].inputs));
      MICRORT_RETURN_IF_ERROR(ReadArrays((*runs)[i], "outputs", &test->runs[i].outputs));
    }
    return Status();
  }

 private:
  Status ReadArrays(const Json& run, const char* which, std::vector<NamedArray>* out) {
    if (!run.is_object()) return Broken("'runs' of objects");
    const auto arrays = run.find(which);
    if (arrays == run.end() || !arrays->is_array())
      return Broken("arrays 'inputs' and 'outputs' of each run");
    out->resize(arrays->size());
    for (size_t i = 0; i < arrays->size(); ++i) MICRORT_RETURN_IF_ERROR(ReadArray((*arrays)[i], &(*out)[i]));
    return Status();
  }

  Status ReadArray(const Json& stored, NamedArray* out) {
    constexpr char kFields[] = "tensors with 'name', 'dtype', 'shape' and 'buffer'";
    // What is no object has no fields.
    const auto name = stored.find("name"), dtype = stored.find("dtype"), shape = stored.find("shape"),
               buffer = stored.find("buffer");
    for (const auto& field : {name, dtype, shape, buffer}) {
      if (field == stored.end()) return Broken(kFields);
    }
    if (!name->is_string() || !dtype->is_string() || !shape->is_array() || !buffer->is_number_unsigned()) {
      return Broken(kFields);
    }
    out->name = name->get<std::string>();
    out->dtype = DTypeOf(dtype->get<std::string>());
    if (out->dtype == DType::kUnknown) return Broken("a known 'dtype'");
    for (const Json& d : *shape) {
      if (!d.is_number_integer()) return Broken("integers in 'shape'");
      out->shape.push_back(d.get<int64_t>());
    }
    const size_t index = buffer->get<size_t>();
    const auto* buffers = model_.buffers();
    if (buffers == nullptr || index >= buffers->size()) return Broken("the index of a buffer");
    // Each is a copy, and many may name one buffer.
    const Span<const uint8_t> data = BytesOfBuffer(model_, static_cast<uint32_t>(index));
    if (data.size() > bytes_left_) return Broken("arrays that have buffers of their own");
    bytes_left_ -= data.size();
    out->data.assign(data.begin(), data.end());
    return CheckArrayBytes(std::string("metadata '") + kSelfTestKey + "': '" + out->name + "'", out->dtype,
                           out->shape, out->data.size());
  }

  const schema::Model& model_;
  size_t bytes_left_;  // of the file, for arrays
};

std::vector<float> FloatsOf(const NamedArray& array) {
  TensorView view;
  view.dtype = array.dtype;
  view.shape.rank = 1;
  view.shape.dims[0] = static_cast<int64_t>(array.elements());
  view.data = const_cast<uint8_t*>(array.data.data());  // is only read
  return ToFloats(view);
}

// Names, types and shapes, which are no matter of accuracy.
Status CheckKind(size_t run, const NamedArray& expected, const TensorView& found) {
  if (expected.name == found.name && expected.dtype == found.dtype &&
      expected.shape == ToVector(found.shape)) {
    return Status();
  }
  return MICRORT_ERROR(kUnsupported, "self-test, run %zu: expected output '%s' %s[%s], found '%s' %s[%s]",
                       run, expected.name.c_str(), Name(expected.dtype), ShapeText(expected.shape).c_str(),
                       found.name, Name(found.dtype), ShapeText(ToVector(found.shape)).c_str());
}

Status Compare(size_t run, double min_snr_db, const NamedArray& expected, const TensorView& found,
               SelfTestResult* result) {
  MICRORT_RETURN_IF_ERROR(CheckKind(run, expected, found));
  if (expected.data.empty() || std::memcmp(expected.data.data(), found.data, expected.data.size()) == 0) {
    return Status();
  }
  result->is_identical = false;
  const std::vector<float> a = FloatsOf(expected), b = ToFloats(found);
  if (!IsFloat(expected.dtype)) {
    const size_t at = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
    return MICRORT_ERROR(kUnsupported, "self-test, run %zu: output '%s' differs from element %zu on", run,
                         expected.name.c_str(), at);
  }
  Similarity similarity;
  similarity.Add(a.data(), b.data(), a.size());
  const double snr = similarity.Snr();
  result->worst_snr_db = std::min(result->worst_snr_db, snr);
  if (snr >= min_snr_db) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "self-test, run %zu: output '%s': expected an SNR of at least %.4g dB, found %.4g dB",
                       run, expected.name.c_str(), min_snr_db, snr);
}

Status CheckInputs(const Model& model, const SelfTest::Run& run) {
  const std::vector<InputSpec> specs = InputSpecs(model);
  bool fits = run.inputs.size() == specs.size();
  for (size_t i = 0; fits && i < specs.size(); ++i) {
    const NamedArray& input = run.inputs[i];
    fits = input.name == specs[i].name && input.dtype == specs[i].dtype &&
           input.shape.size() == specs[i].shape.size();
  }
  return fits ? Status() : Broken("the inputs of the model in each run");
}

}  // namespace

void StoreSelfTest(const SelfTest& test, schema::ModelT* model) {
  Json runs = Json::array();
  for (const SelfTest::Run& run : test.runs) {
    runs.push_back(
        {{"inputs", StoreArrays(run.inputs, model)}, {"outputs", StoreArrays(run.outputs, model)}});
  }
  const Json description = {{"min_snr_db", test.min_snr_db}, {"runs", runs}};
  auto& metadata = model->metadata;
  metadata.erase(std::remove_if(metadata.begin(), metadata.end(),
                                [](const auto& entry) { return entry->key == kSelfTestKey; }),
                 metadata.end());
  metadata.push_back(std::make_unique<schema::MetadataT>());
  metadata.back()->key = kSelfTestKey;
  metadata.back()->value = description.dump();
}

Status LoadSelfTest(const Model& model, SelfTest* test) {
  const schema::Model& root = *schema::GetModel(model.file().data());
  if (root.metadata() != nullptr) {
    for (const schema::Metadata* entry : *root.metadata()) {
      if (entry->key() == nullptr || entry->value() == nullptr || entry->key()->str() != kSelfTestKey)
        continue;
      if (entry->value()->size() > kMostDescription) return Broken("a description of at most 8 MiB");
      const Json description = Json::parse(entry->value()->str(), nullptr, false);
      if (!description.is_object()) return Broken("a JSON object");
      return Reader(root, model.file_bytes()).Read(description, test);
    }
  }
  return MICRORT_ERROR(kInvalidArgument, "the file carries no test; mnnconvert --embed-test stores one");
}

Status RunSelfTest(const Model& model, const SelfTest& test, const InterpreterOptions& options,
                   SelfTestResult* result) {
  *result = {test.runs.size(), true, std::numeric_limits<double>::infinity()};
  std::unique_ptr<Interpreter> interpreter;
  for (size_t i = 0; i < test.runs.size(); ++i) {
    const SelfTest::Run& run = test.runs[i];
    MICRORT_RETURN_IF_ERROR(CheckInputs(model, run));
    if (interpreter == nullptr) {
      MICRORT_ASSIGN_OR_RETURN(Interpreter created, CreateFor(model, run.inputs, options));
      interpreter = std::make_unique<Interpreter>(std::move(created));
    } else {
      MICRORT_RETURN_IF_ERROR(ResizeToInputs(model, run.inputs, interpreter.get()));
    }
    FillInputs(run.inputs, interpreter.get());
    MICRORT_RETURN_IF_ERROR(interpreter->Run());
    if (run.outputs.size() != interpreter->output_count())
      return Broken("the outputs of the model in each run");
    for (size_t o = 0; o < run.outputs.size(); ++o) {
      MICRORT_RETURN_IF_ERROR(Compare(i, test.min_snr_db, run.outputs[o], interpreter->output(o), result));
    }
  }
  return Status();
}

}  // namespace micrort::io
