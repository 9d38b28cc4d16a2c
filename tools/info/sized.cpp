#include "tools/info/sized.h"

#include "runtime/interpreter/input_shapes.h"
#include "runtime/model/model_impl.h"
#include "tools/info/any_ops.h"
#include "tools/io/near_names.h"
#include "tools/io/session.h"
#include "tools/io/tensor_file_name.h"

namespace micrort {
namespace {

Status SetShape(const Model& model, const InputShape& wanted, Span<Shape> shapes) {
  std::vector<std::string> names;
  for (size_t i = 0; i < model.input_count(); ++i) names.emplace_back(model.input(i).name);
  const int at = io::FindTensor(names, wanted.name);
  if (at < 0) {
    return MICRORT_ERROR(kInvalidArgument, "--input-shape %s: no such input%s", wanted.name.c_str(),
                         io::DidYouMean(wanted.name, names).c_str());
  }
  Shape& shape = shapes[static_cast<size_t>(at)];
  shape.rank = static_cast<int>(wanted.dims.size());
  for (size_t d = 0; d < wanted.dims.size(); ++d) {
    if (wanted.dims[d] < 0) {
      return MICRORT_ERROR(kInvalidArgument, "--input-shape %s: expected a number for dimension %zu, found ?",
                           wanted.name.c_str(), d);
    }
    shape.dims[d] = wanted.dims[d];
  }
  return Status();
}

}  // namespace

Result<Interpreter> CreateOfSizes(const Model& model, const std::vector<InputShape>& wanted,
                                  CpuFeatures features, const ModelLimits& limits) {
  FixedArray<Shape> shapes;
  MICRORT_RETURN_IF_ERROR(DefaultInputShapes(model.impl().entry(), &shapes));
  for (const InputShape& input : wanted) {
    MICRORT_RETURN_IF_ERROR(SetShape(model, input, {shapes.data(), shapes.size()}));
  }
  InterpreterOptions options;
  options.features = features;
  options.resolver = &AnyOps();
  options.limits = limits;
  options.input_shapes = shapes;
  Result<Interpreter> interpreter = Interpreter::Create(model, options);
  if (interpreter.ok()) return interpreter;
  const Status status = io::BlameSizes(model, shapes, interpreter.status());
  if (!wanted.empty() || status.code() == interpreter.status().code()) return status;
  return MICRORT_ERROR(kInvalidArgument, "%s; give sizes with --input-shape NAME=1x3x224x224",
                       status.message());
}

}  // namespace micrort
