// Subgraphs that operators run: put in place, or as graphs inside operators.

#include "converter/frontend/tflite/graph_importer.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"
#include "runtime/model/verify.h"

namespace micrort::frontend::tflite {

namespace {

// Loops inside loops are imported again where iterations change shapes; no real model comes near.
constexpr size_t kMaxCalledOperators = 1 << 18;

uint32_t Size(const flatbuffers::Vector<int32_t>* list) { return list == nullptr ? 0 : list->size(); }

// Tensors that hand on the same values: of one type, and as integers of one quantization.
Status CheckAlike(const fb::Tensor& given, const fb::Tensor& taken) {
  if (DTypeOf(given.type()) != DTypeOf(taken.type()))
    return MICRORT_ERROR(kInvalidModel, "a tensor of type %s is handed on as %s",
                         TypeName(given.type()).c_str(), TypeName(taken.type()).c_str());
  if (!IsQuantizedActivation(given) && !IsQuantizedActivation(taken)) return Status();
  ir::Quantization a, b;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(given, &a));
  MICRORT_RETURN_IF_ERROR(ReadQuantization(taken, &b));
  if (a.scales == b.scales && a.zero_points == b.zero_points) return Status();
  return MICRORT_ERROR(kUnsupported, "a tensor is handed on with another quantization");
}

}  // namespace

ir::ValueId StoredForm::Real(ir::ValueId stored, ir::Builder& builder) const {
  return quantization.empty() ? stored : Dequantized(builder, stored, quantization);
}

ir::ValueId StoredForm::Stored(ir::ValueId real, ir::Builder& builder) const {
  return quantization.empty() ? real : QuantizedTo(builder, real, dtype, quantization);
}

GraphImporter::GraphImporter(GraphImporter& parent, size_t subgraph, ir::Graph* graph)
    : file_(parent.file_),
      entry_{subgraph},
      index_(subgraph),
      subgraph_(file_.subgraph(subgraph)),
      options_(parent.options_),
      assembler_(parent.assembler_, graph),
      graph_(*graph),
      diagnostics_(parent.diagnostics_),
      parent_(&parent),
      called_operators_(parent.called_operators_),
      values_(subgraph_.tensors() == nullptr ? 0 : subgraph_.tensors()->size()) {
  if (subgraph_.outputs() != nullptr)
    outputs_.assign(subgraph_.outputs()->begin(), subgraph_.outputs()->end());
}

Status GraphImporter::CheckCall(int64_t subgraph, const std::vector<TensorValue>& arguments) const {
  MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(file_, subgraph));
  const auto index = static_cast<size_t>(subgraph);
  int depth = 0;
  for (const GraphImporter* caller = this; caller != nullptr; caller = caller->parent_) {
    if (caller->index_ == index)
      return MICRORT_ERROR(kInvalidModel, "subgraph %zu runs itself: expected no cycle", index);
    if (++depth > kMaxCallDepth)
      return MICRORT_ERROR(kUnsupported, "more than %d subgraphs that run each other", kMaxCallDepth);
  }
  const fb::SubGraph& graph = file_.subgraph(index);
  if (Size(graph.inputs()) != arguments.size())
    return MICRORT_ERROR(kInvalidModel, "subgraph %zu has %u inputs, and is given %zu", index,
                         Size(graph.inputs()), arguments.size());
  *called_operators_ += graph.operators() == nullptr ? 0 : graph.operators()->size();
  if (*called_operators_ <= kMaxCalledOperators) return Status();
  return MICRORT_ERROR(kUnsupported, "more than %zu operators in subgraphs that run each other",
                       kMaxCalledOperators);
}

Status GraphImporter::Argument(int32_t index, TensorValue* out) {
  if (index < 0) return MICRORT_ERROR(kInvalidModel, "an input or output is absent");
  bool reachable = true;
  MICRORT_RETURN_IF_ERROR(Prepare(index, &reachable));
  *out = At(index);
  out->tensor = &TensorAt(index);
  if (out->is_set() || out->is_unreachable || !out->variable.empty()) return Status();
  return ReadVariableTensor(index, &out->real).WithPrefix("tensor %d", index);
}

Status GraphImporter::PassedArgument(int32_t index, ir::Builder& builder, TensorValue* out) {
  MICRORT_RETURN_IF_ERROR(Argument(index, out));
  if (out->stored == ir::kNoValue || !IsQuantizedActivation(TensorAt(index))) return Status();
  out->real = RealValue(index, builder);
  out->stored = ir::kNoValue;
  return builder.status();
}

Status GraphImporter::BindArguments(const std::vector<TensorValue>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const int32_t index = subgraph_.inputs()->Get(static_cast<flatbuffers::uoffset_t>(i));
    MICRORT_RETURN_IF_ERROR(CheckAlike(*arguments[i].tensor, TensorAt(index)).WithPrefix("input %zu", i));
    At(index) = arguments[i];
  }
  return Status();
}

Status GraphImporter::ImportCalled() {
  dilated_convs_.Find(file_, subgraph_, outputs_);
  return ImportOperators();
}

Status GraphImporter::TakeResults(std::vector<TensorValue>* results) {
  for (const int32_t index : outputs_) {
    results->emplace_back();
    MICRORT_RETURN_IF_ERROR(Argument(index, &results->back()));
    is_incomplete_ |= results->back().is_unreachable;
  }
  return Status();
}

Status GraphImporter::Inline(int64_t subgraph, const std::vector<TensorValue>& arguments,
                             std::vector<TensorValue>* results) {
  MICRORT_RETURN_IF_ERROR(CheckCall(subgraph, arguments));
  GraphImporter inner(*this, static_cast<size_t>(subgraph), &graph_);
  MICRORT_RETURN_IF_ERROR(inner.BindArguments(arguments));
  MICRORT_RETURN_IF_ERROR(inner.ImportCalled());
  MICRORT_RETURN_IF_ERROR(inner.TakeResults(results));
  assembler_.Adopt(inner.assembler_);
  for (const std::string& variable : inner.variables_.assigned())
    variables_.Assign(variable, inner.variables_.Find(variable));
  is_incomplete_ = inner.is_incomplete_;
  return is_incomplete_ ? MICRORT_ERROR(kUnsupported, "an operator inside it") : Status();
}

bool GraphImporter::IsDeclared(const std::string& variable) const {
  if (variables_.Find(variable) != ir::kNoValue) return true;
  return parent_ != nullptr && parent_->IsDeclared(variable);
}

Status GraphImporter::CurrentOf(const std::string& variable, ir::ValueId* out) {
  *out = variables_.Find(variable);
  if (*out != ir::kNoValue) return Status();
  if (parent_ == nullptr) return MICRORT_ERROR(kInvalidModel, "variable '%s' has no value", variable.c_str());
  MICRORT_RETURN_IF_ERROR(parent_->CurrentOf(variable, out));
  *out = assembler_.Capture(*out);
  variables_.Remember(variable, *out);
  return Status();
}

Status GraphImporter::ReadVariable(int32_t handle, ir::ValueId* out) {
  if (At(handle).variable.empty()) return MICRORT_ERROR(kInvalidModel, "its input is no variable");
  return CurrentOf(At(handle).variable, out);
}

Status GraphImporter::AssignVariable(int32_t handle, ir::ValueId id) {
  if (At(handle).variable.empty()) return MICRORT_ERROR(kInvalidModel, "its input is no variable");
  variables_.Assign(At(handle).variable, id);
  return Status();
}

Status GraphImporter::ReadVariableTensor(int32_t tensor, ir::ValueId* out) {
  return CurrentOf(VariableKey(index_, tensor), out);
}

Status GraphImporter::AssignVariableTensor(int32_t tensor, ir::ValueId id) {
  variables_.Assign(VariableKey(index_, tensor), id);
  return Status();
}

// A subgraph as a graph inside the operator at hand.
Status GraphImporter::ImportInside(int64_t subgraph, const std::vector<TensorValue>& arguments,
                                   const Inside& import, ImportedBody* out) {
  MICRORT_RETURN_IF_ERROR(CheckCall(subgraph, arguments));
  if (assembler_.depth() == kMaxNesting)
    return MICRORT_ERROR(kUnsupported, "more than %u graphs inside each other", kMaxNesting);
  out->graph = std::make_shared<ir::Graph>();
  GraphImporter inner(*this, static_cast<size_t>(subgraph), out->graph.get());
  assembler_.inference().Enter(*out->graph);
  const Status status = import(inner);
  assembler_.inference().Leave();
  is_incomplete_ = inner.is_incomplete_;
  MICRORT_RETURN_IF_ERROR(status);
  out->captures = inner.assembler_.captures();
  return is_incomplete_ ? MICRORT_ERROR(kUnsupported, "an operator inside it") : Status();
}

Status GraphImporter::BindOuter(const std::vector<TensorValue>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const int32_t index = subgraph_.inputs()->Get(static_cast<flatbuffers::uoffset_t>(i));
    MICRORT_RETURN_IF_ERROR(CheckAlike(*arguments[i].tensor, TensorAt(index)).WithPrefix("input %zu", i));
    if (At(index).is_set()) continue;
    At(index).outer = arguments[i].any();
    At(index).variable = arguments[i].variable;
  }
  return Status();
}

Status GraphImporter::AddPassedOutput(int32_t index) {
  const fb::Tensor& tensor = TensorAt(index);
  std::string name = NameOf(tensor);
  if (name.empty()) name = "output_" + std::to_string(index);
  ir::Builder builder = assembler_.BuilderFor({name, "output", 0}, name);
  TensorValue value;
  MICRORT_RETURN_IF_ERROR(PassedArgument(index, builder, &value));
  ir::ValueId output = ir::kNoValue;
  return assembler_.AddOutput(name, value.any(), &output);
}

Status GraphImporter::AddVariableOutput(const std::string& variable) {
  ir::ValueId id = ir::kNoValue, output = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(CurrentOf(variable, &id));
  ir::Builder builder = assembler_.BuilderFor({variable, "output", 0}, variable);
  const ir::ValueId real = FormOf(id).Real(id, builder);
  MICRORT_RETURN_IF_ERROR(builder.status());
  return assembler_.AddOutput(variable + "/next", real, &output);
}

Status GraphImporter::ImportBranch(const std::vector<TensorValue>& arguments,
                                   const std::set<std::string>& changed) {
  MICRORT_RETURN_IF_ERROR(BindOuter(arguments));
  MICRORT_RETURN_IF_ERROR(ImportCalled());
  std::vector<TensorValue> results;
  MICRORT_RETURN_IF_ERROR(TakeResults(&results));
  if (is_incomplete_) return Status();
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].variable.empty()) MICRORT_RETURN_IF_ERROR(AddPassedOutput(outputs_[i]));
  }
  for (const std::string& variable : changed) MICRORT_RETURN_IF_ERROR(AddVariableOutput(variable));
  return Status();
}

Status GraphImporter::ImportBranches(const int64_t (&subgraphs)[2], const std::vector<TensorValue>& arguments,
                                     ImportedBody (&out)[2], std::set<std::string>* changed) {
  // What one branch changes, the other hands on, so once that is known, both are imported again.
  for (bool again = true; again;) {
    std::set<std::string> found = *changed;
    for (int k = 0; k < 2; ++k) {
      const auto import = [&](GraphImporter& inner) {
        const Status status = inner.ImportBranch(arguments, *changed);
        for (const std::string& variable : inner.variables_.assigned()) {
          if (IsDeclared(variable)) found.insert(variable);
        }
        return status;
      };
      MICRORT_RETURN_IF_ERROR(
          ImportInside(subgraphs[k], arguments, import, &out[k]).WithPrefix(k == 0 ? "then" : "else"));
    }
    again = found != *changed;
    *changed = std::move(found);
  }
  return Status();
}

void GraphImporter::AddScalarInput(const char* name, DType dtype) {
  ir::Value value;
  value.name = name;
  value.dtype = dtype;
  value.has_shape = true;
  graph_.inputs.push_back(graph_.AddValue(std::move(value)));
}

Status GraphImporter::AddCarriedInput(const CarriedValue& carried) {
  const ir::ValueId id =
      graph_.AddValue(BodyInputFor(parent_->graph_.value(carried.first), carried.changing_dims));
  graph_.inputs.push_back(id);
  assembler_.inference().Bind(graph_, id, carried.first, false, carried.changing_dims);
  if (carried.position < 0) {
    ir::Builder builder = assembler_.BuilderFor({carried.variable, "input", 0}, carried.variable);
    variables_.Remember(carried.variable, carried.form.Stored(id, builder));
    return builder.status();
  }
  const int32_t index = subgraph_.inputs()->Get(static_cast<flatbuffers::uoffset_t>(carried.position));
  (IsQuantizedActivation(TensorAt(index)) ? At(index).real : At(index).stored) = id;
  return Status();
}

// The body, then the condition on what it gives.
Status GraphImporter::ImportIteration(int64_t condition, const std::vector<TensorValue>& arguments,
                                      const std::vector<CarriedValue>& carried) {
  AddScalarInput("iteration", DType::kInt64);
  AddScalarInput("condition", DType::kBool);
  for (const CarriedValue& value : carried) MICRORT_RETURN_IF_ERROR(AddCarriedInput(value));
  MICRORT_RETURN_IF_ERROR(BindOuter(arguments));
  MICRORT_RETURN_IF_ERROR(ImportCalled().WithPrefix("body"));
  std::vector<TensorValue> results, go_on;
  MICRORT_RETURN_IF_ERROR(TakeResults(&results));
  if (is_incomplete_) return Status();
  MICRORT_RETURN_IF_ERROR(Inline(condition, results, &go_on).WithPrefix("condition"));
  if (go_on.size() != 1 || graph_.value(go_on[0].any()).dtype != DType::kBool)
    return MICRORT_ERROR(kInvalidModel, "condition: expected one bool");
  ir::ValueId output = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(assembler_.AddOutput("condition/next", go_on[0].any(), &output));
  for (const CarriedValue& value : carried) {
    MICRORT_RETURN_IF_ERROR(value.position < 0
                                ? AddVariableOutput(value.variable)
                                : AddPassedOutput(outputs_[static_cast<size_t>(value.position)]));
  }
  return Status();
}

Status GraphImporter::WidenCarried(std::vector<CarriedValue>* carried, bool* changed) const {
  constexpr size_t kFirstInput = 2, kFirstOutput = 1;  // after iteration and condition
  for (size_t k = 0; k < carried->size(); ++k) {
    const ir::ValueId before = graph_.inputs[kFirstInput + k], after = graph_.outputs[kFirstOutput + k];
    const ir::Value &first = graph_.value(before), &next = graph_.value(after);
    if (first.dtype != next.dtype || first.rank() != next.rank())
      return MICRORT_ERROR(kUnsupported,
                           "the value '%s' changes its type or rank from one iteration to the next",
                           first.name.c_str());
    uint32_t differing = 0;
    MICRORT_RETURN_IF_ERROR(assembler_.inference().DifferingDims(before, after, &differing));
    differing &= ~(*carried)[k].changing_dims;
    *changed |= differing != 0;
    (*carried)[k].changing_dims |= differing;
  }
  return Status();
}

Status GraphImporter::CarryVariables(const std::set<std::string>& assigned, ir::Builder& builder,
                                     std::vector<CarriedValue>* carried, bool* changed) {
  for (const std::string& variable : assigned) {
    bool is_carried = !IsDeclared(variable);
    for (const CarriedValue& value : *carried) is_carried |= value.position < 0 && value.variable == variable;
    if (is_carried) continue;
    *changed = true;
    CarriedValue value;
    value.variable = variable;
    MICRORT_RETURN_IF_ERROR(CurrentOf(variable, &value.first));
    value.form = FormOf(value.first);
    value.first = value.form.Real(value.first, builder);
    carried->push_back(std::move(value));
  }
  return builder.status();
}

Status GraphImporter::ImportLoop(int64_t condition, int64_t body, const std::vector<TensorValue>& arguments,
                                 ir::Builder& builder, std::vector<CarriedValue>* carried,
                                 ImportedBody* out) {
  // Importers rely on the shapes that they see, so once it is known what iterations change, all is done
  // again.
  for (bool again = true; again;) {
    again = false;
    std::set<std::string> assigned;
    const auto import = [&](GraphImporter& inner) {
      MICRORT_RETURN_IF_ERROR(inner.ImportIteration(condition, arguments, *carried));
      if (inner.is_incomplete_) return Status();
      assigned = inner.variables_.assigned();
      return inner.WidenCarried(carried, &again);
    };
    MICRORT_RETURN_IF_ERROR(ImportInside(body, arguments, import, out));
    MICRORT_RETURN_IF_ERROR(CarryVariables(assigned, builder, carried, &again));
  }
  return Status();
}

Status GraphImporter::TakeVariable(const std::string& variable, ir::ValueId id, ir::Builder& builder) {
  ir::ValueId before = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(CurrentOf(variable, &before));
  variables_.Assign(variable, FormOf(before).Stored(id, builder));
  return builder.status();
}

}  // namespace micrort::frontend::tflite
