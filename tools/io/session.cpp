#include "tools/io/session.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/checked_math.h"
#include "kernels/base/half.h"
#include "tools/io/file_kinds.h"
#include "tools/io/file_texts.h"
#include "tools/io/near_names.h"
#include "tools/io/table_rows.h"
#include "tools/io/tensor_file_name.h"

namespace micrort::io {
namespace {

// Steele, Lea and Flood's SplitMix64: the same numbers on every machine.
uint64_t NextRandom(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Integers are below `end`.
void StoreRandom(DType dtype, uint64_t random, uint64_t end, uint8_t* out) {
  const float unit = static_cast<float>(random >> 40) * 0x1p-23f - 1.0f;
  const int64_t integer = dtype == DType::kBool ? random & 1 : static_cast<int64_t>(random % end);
  const uint16_t half = dtype == DType::kFloat16 ? FloatToHalf(unit) : FloatToBFloat16(unit);
  const double wide = unit;
  switch (dtype) {
    case DType::kFloat32:
      std::memcpy(out, &unit, sizeof unit);
      break;
    case DType::kFloat64:
      std::memcpy(out, &wide, sizeof wide);
      break;
    case DType::kFloat16:
    case DType::kBFloat16:
      std::memcpy(out, &half, sizeof half);
      break;
    default:
      std::memcpy(out, &integer, SizeOf(dtype));
  }
}

std::string Listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  return list;
}

}  // namespace

Status BlameSizes(const Model& model, Span<const Shape> shapes, const Status& status) {
  if (status.code() != StatusCode::kInvalidModel) return status;
  std::string sizes;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape declared = model.input(i).shape;
    if (std::none_of(declared.dims, declared.dims + declared.rank, [](int64_t d) { return d < 0; })) continue;
    sizes += std::string(sizes.empty() ? "'" : ", '") + model.input(i).name + "' " +
             ShapeText(ToVector(shapes[i]));
  }
  if (sizes.empty()) return status;
  return MICRORT_ERROR(kInvalidArgument, "inputs of these sizes do not fit the model: %s: %s", sizes.c_str(),
                       status.message());
}

InputSizes SizesOf(const Model& model, const std::vector<NamedArray>& arrays) {
  InputSizes sizes;
  for (size_t i = 0; i < arrays.size(); ++i) {
    sizes.shapes.emplace_back();
    for (int64_t d : arrays[i].shape) sizes.shapes.back().dims[sizes.shapes.back().rank++] = d;
    sizes.values.push_back(model.decides_shapes(i) ? arrays[i].data.data() : nullptr);
  }
  return sizes;
}

Status ParseInputFile(const std::string& text, InputFile* out) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return MICRORT_ERROR(
        kInvalidArgument,
        "--input: expected NAME=FILE, found '%s'; micrort-info lists the names, and #0 is the "
        "first input",
        text.c_str());
  }
  *out = {text.substr(0, equals), text.substr(equals + 1)};
  return Status();
}

std::vector<std::string> InputNames(const Interpreter& interpreter) {
  std::vector<std::string> names;
  for (size_t i = 0; i < interpreter.input_count(); ++i) names.push_back(interpreter.input(i).name);
  return names;
}

std::vector<std::string> OutputNames(const Interpreter& interpreter) {
  std::vector<std::string> names;
  for (size_t i = 0; i < interpreter.output_count(); ++i) names.push_back(interpreter.output(i).name);
  return names;
}

std::vector<int64_t> ToVector(const Shape& shape) { return {shape.dims, shape.dims + shape.rank}; }

Result<Model> OpenModel(const std::string& path) {
  Result<Model> model = Model::FromFile(path.c_str());
  if (!model.ok()) return ExplainNoMicrortModel(path, model.status());
  const Status texts = CheckTexts(*model);
  if (!texts.ok()) return texts.WithPrefix("%s", path.c_str());
  return model;
}

std::vector<InputSpec> InputSpecs(const Model& model) {
  const std::vector<int64_t> rows = RowsOfTables(model);
  std::vector<InputSpec> specs;
  for (size_t i = 0; i < model.input_count(); ++i) {
    const TensorView view = model.input(i);
    specs.push_back({view.name, view.dtype, ToVector(view.shape), model.decides_shapes(i)});
    specs.back().rows = rows[i];
    if (view.quantization.count != 1) continue;
    specs.back().scale = view.quantization.scale();
    specs.back().zero_point = view.quantization.zero_point();
  }
  return specs;
}

Status CheckArraySize(const std::string& name, DType dtype, const std::vector<int64_t>& shape,
                      const ModelLimits& limits) {
  uint64_t bytes = SizeOf(dtype);
  for (const int64_t d : shape) {
    if (d > 0 && !CheckedMul<uint64_t>(bytes, static_cast<uint64_t>(d), &bytes)) bytes = UINT64_MAX;
    if (bytes > limits.max_tensor_bytes) break;
  }
  if (bytes <= limits.max_tensor_bytes) return Status();
  return MICRORT_ERROR(kUnsupported,
                       "input '%s' of shape %s takes more than %llu bytes (ModelLimits::max_tensor_bytes, "
                       "--max-memory)",
                       name.c_str(), ShapeText(shape).c_str(),
                       static_cast<unsigned long long>(limits.max_tensor_bytes));
}

NamedArray RandomArray(const std::string& name, DType dtype, const std::vector<int64_t>& shape, uint64_t seed,
                       int64_t rows) {
  constexpr uint64_t kIntegers = 100;
  NamedArray array{name, dtype, shape, {}};
  const size_t n = array.elements(), size = SizeOf(dtype);
  array.data.resize(n * size);
  const uint64_t end = rows == 0 ? kIntegers : std::min(kIntegers, static_cast<uint64_t>(rows));
  uint64_t state = seed;
  for (size_t i = 0; i < n; ++i) StoreRandom(dtype, NextRandom(&state), end, array.data.data() + i * size);
  return array;
}

Status LoadInputs(const std::vector<InputSpec>& specs, const std::vector<InputFile>& files,
                  const Preprocess& preprocess, const ModelLimits& limits, std::vector<NamedArray>* out) {
  std::vector<std::string> names;
  for (const InputSpec& spec : specs) names.push_back(spec.name);
  std::vector<bool> given(specs.size(), false);
  out->assign(specs.size(), NamedArray());
  for (const InputFile& file : files) {
    const int at = FindTensor(names, file.name);
    if (at < 0 || given[static_cast<size_t>(at)]) {
      return MICRORT_ERROR(kInvalidArgument, "--input %s: %s; the model's inputs are %s%s", file.name.c_str(),
                           at < 0 ? "no such input" : "given twice", Listed(names).c_str(),
                           at < 0 ? DidYouMean(file.name, names).c_str() : "");
    }
    given[static_cast<size_t>(at)] = true;
    MICRORT_RETURN_IF_ERROR(LoadInput(file.path, specs[at], preprocess, &(*out)[static_cast<size_t>(at)]));
  }
  for (size_t i = 0; i < specs.size(); ++i) {
    if (given[i]) continue;
    if (specs[i].decides_shapes) {
      return MICRORT_ERROR(kInvalidArgument, "input '%s' decides shapes: give its value with --input",
                           specs[i].name.c_str());
    }
    std::vector<int64_t> shape = specs[i].shape;
    for (int64_t& d : shape) d = d < 0 ? 1 : d;
    MICRORT_RETURN_IF_ERROR(CheckArraySize(specs[i].name, specs[i].dtype, shape, limits));
    (*out)[i] = RandomArray(specs[i].name, specs[i].dtype, shape, i + 1, specs[i].rows);
    (*out)[i].is_random = true;
  }
  return Status();
}

Status BlameRandomIntegers(const std::vector<NamedArray>& arrays, const Status& status) {
  std::vector<std::string> random;
  for (const NamedArray& array : arrays) {
    if (array.is_random && (array.dtype == DType::kInt32 || array.dtype == DType::kInt64))
      random.push_back(array.name);
  }
  if (status.code() != StatusCode::kOutOfRange || random.empty()) return status;
  return MICRORT_ERROR(kOutOfRange, "%s; inputs of random integers: %s (give values with --input NAME=FILE)",
                       status.message(), Listed(random).c_str());
}

Result<Interpreter> CreateFor(const Model& model, const std::vector<NamedArray>& arrays,
                              InterpreterOptions options) {
  const InputSizes sizes = SizesOf(model, arrays);
  sizes.Set(&options);
  Result<Interpreter> interpreter = Interpreter::Create(model, options);
  if (interpreter.ok()) return interpreter;
  return BlameSizes(model, {sizes.shapes.data(), sizes.shapes.size()}, interpreter.status());
}

Status ResizeToInputs(const Model& model, const std::vector<NamedArray>& arrays, Interpreter* interpreter) {
  const InputSizes sizes = SizesOf(model, arrays);
  bool differs = false;
  for (size_t i = 0; i < arrays.size() && !differs; ++i) {
    const TensorView now = interpreter->input(i);
    differs = sizes.shapes[i] != now.shape ||
              (sizes.values[i] != nullptr && std::memcmp(sizes.values[i], now.data, now.bytes()) != 0);
  }
  if (!differs) return Status();
  const Span<const Shape> shapes(sizes.shapes.data(), sizes.shapes.size());
  return BlameSizes(model, shapes, interpreter->Resize(shapes, {sizes.values.data(), sizes.values.size()}));
}

void FillInputs(const std::vector<NamedArray>& arrays, Interpreter* interpreter) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].data.empty()) continue;
    std::memcpy(interpreter->input(i).data, arrays[i].data.data(), arrays[i].data.size());
  }
}

}  // namespace micrort::io
