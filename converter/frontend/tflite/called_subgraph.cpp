#include "converter/frontend/tflite/called_subgraph.h"

#include <memory>

#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "runtime/model/verify.h"

namespace micrort::frontend::tflite {

namespace {

// Tensors that hand on the same values: of one type, and as integers of one quantization.
Status CheckAlike(const fb::Tensor& given, const fb::Tensor& taken) {
  if (DTypeOf(given.type()) != DTypeOf(taken.type()))
    return Invalid("a tensor of type {} is handed on as {}", TypeName(given.type()), TypeName(taken.type()));
  if (!IsQuantizedActivation(given) && !IsQuantizedActivation(taken)) return Status();
  ir::Quantization a, b;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(given, &a));
  MICRORT_RETURN_IF_ERROR(ReadQuantization(taken, &b));
  if (a.scales == b.scales && a.zero_points == b.zero_points) return Status();
  return Unsupported("a tensor is handed on with another quantization");
}

}  // namespace

CalledSubgraph::CalledSubgraph(SubgraphImporter& caller, int64_t subgraph, ir::Graph* graph)
    : importer_(caller, static_cast<size_t>(subgraph), graph),
      inputs_(Indices(importer_.stated().inputs())),
      outputs_(Indices(importer_.stated().outputs())) {}

Status CalledSubgraph::Inline(SubgraphImporter& caller, int64_t subgraph,
                              const std::vector<TensorValue>& arguments, std::vector<TensorValue>* results) {
  MICRORT_RETURN_IF_ERROR(caller.CheckCall(subgraph, arguments.size()));
  CalledSubgraph called(caller, subgraph, &caller.assembler().graph());
  MICRORT_RETURN_IF_ERROR(called.Bind(arguments, false));
  MICRORT_RETURN_IF_ERROR(called.ImportOperators());
  MICRORT_RETURN_IF_ERROR(called.TakeResults(results));
  caller.assembler().Adopt(called.importer_.assembler());
  caller.variables().TakeAssigned(called.importer_.variables());
  return called.importer_.is_incomplete() ? caller.Incomplete() : Status();
}

Status CalledSubgraph::ImportInside(SubgraphImporter& caller, int64_t subgraph, size_t arguments,
                                    const Import& import, ImportedBody* out) {
  MICRORT_RETURN_IF_ERROR(caller.CheckCall(subgraph, arguments));
  MICRORT_RETURN_IF_ERROR(CheckMayEnter(caller.assembler()));
  out->graph = std::make_shared<ir::Graph>();
  CalledSubgraph called(caller, subgraph, out->graph.get());
  const InsideBody inside(caller.assembler(), *out->graph);
  const Status imported = import(called);
  out->misfits = called.importer_.misfits();
  const Status incomplete = called.importer_.is_incomplete() ? caller.Incomplete() : Status();
  MICRORT_RETURN_IF_ERROR(imported);
  out->captures = called.importer_.assembler().captures();
  return incomplete;
}

Status CalledSubgraph::Bind(const std::vector<TensorValue>& arguments, bool from_around) {
  TensorTable& tensors = importer_.tensors();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Status alike = CheckAlike(*arguments[i].tensor, tensors.Stated(inputs_[i]));
    MICRORT_RETURN_IF_ERROR(alike.WithPrefix("input %zu", i));
    TensorValue& input = tensors.At(inputs_[i]);
    if (!from_around) {
      input = arguments[i];
    } else if (!input.is_set()) {
      input.outer = arguments[i].any();
      input.variable = arguments[i].variable;
    }
  }
  return Status();
}

Status CalledSubgraph::TakeResults(std::vector<TensorValue>* results) {
  for (const int32_t index : outputs_) {
    results->emplace_back();
    MICRORT_RETURN_IF_ERROR(importer_.Argument(index, &results->back()));
    if (results->back().is_unreachable) (void)importer_.Incomplete();
  }
  return Status();
}

Status CalledSubgraph::AddOutput(size_t i) {
  const int32_t index = outputs_[i];
  std::string name = NameOf(importer_.tensors().Stated(index));
  if (name.empty()) name = "output_" + std::to_string(index);
  ir::Builder builder = importer_.assembler().BuilderFor({name, "output", 0}, name);
  TensorValue value;
  MICRORT_RETURN_IF_ERROR(importer_.PassedArgument(index, builder, &value));
  return importer_.assembler().AddOutput(name, value.any()).status();
}

Status CalledSubgraph::AddVariableOutput(const std::string& variable) {
  ir::Builder builder = importer_.assembler().BuilderFor({variable, "output", 0}, variable);
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId real, importer_.variables().ReadReal(variable, builder));
  return importer_.assembler().AddOutput(variable + "/next", real).status();
}

}  // namespace micrort::frontend::tflite
