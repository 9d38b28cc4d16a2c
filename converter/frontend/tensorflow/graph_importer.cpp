#include "converter/frontend/tensorflow/graph_importer.h"

#include <optional>
#include <set>
#include <utility>

#include "converter/frontend/common/model_inputs.h"
#include "converter/frontend/common/named_values.h"
#include "converter/frontend/common/text.h"
#include "converter/frontend/tensorflow/complex_parts.h"
#include "converter/frontend/tensorflow/custom_node.h"
#include "converter/frontend/tensorflow/functionalize.h"
#include "converter/frontend/tensorflow/graph_ports.h"
#include "converter/frontend/tensorflow/tensor_types.h"
#include "runtime/model/verify.h"

namespace micrort::frontend::tensorflow {

namespace {

// Before this version of the writer, a placeholder without a shape was written like a scalar.
constexpr int kFirstWithUnknownRank = 24;

const ::tensorflow::AttrValue* FindAttr(const ::tensorflow::NodeDef& node, const char* name) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() ? nullptr : &found->second;
}

bool HasShape(const ::tensorflow::TensorShapeProto& shape, int producer) {
  return !shape.unknown_rank() && (shape.dim_size() > 0 || producer >= kFirstWithUnknownRank);
}

SourceNode Source(const Scope& scope, const ::tensorflow::NodeDef& node) {
  return {scope.prefix() + node.name(), node.op(), 0};
}

}  // namespace

Status GraphImporter::Import() {
  std::vector<Port> inputs, outputs;
  MICRORT_RETURN_IF_ERROR(FindPorts(model_, options_, &inputs, &outputs));
  missing_ = MissingPlaceholders(model_.graph, inputs, outputs);
  FunctionalizeControlFlow(&model_.graph);
  MICRORT_RETURN_IF_ERROR(main_.AddNodes(model_.graph.node()));
  for (const auto& function : model_.graph.library().function())
    functions_[function.signature().name()] = &function;
  effects_ = std::make_unique<Effects>(model_.graph.library());
  std::vector<std::string> needed;
  for (const Port& port : outputs) {
    MICRORT_ASSIGN_OR_RETURN(const TensorRef ref, ParseTensorRef(port.tensor));
    needed.push_back(ref.node);
  }
  main_.SetOrder(effects_->OfGraph(model_.graph.node(), needed));
  MICRORT_RETURN_IF_ERROR(AddInputs(inputs));
  outermost_.StartStates();
  MICRORT_RETURN_IF_ERROR(variables_.DeclareStates(&assembler().graph()));
  outermost_.StartNodes();
  MICRORT_RETURN_IF_ERROR(AddOutputs(outputs));
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(*diagnostics_));
  MICRORT_RETURN_IF_ERROR(variables_.AddStates(&outermost_));
  outermost_.Finish();
  return Status();
}

namespace {

// What a node that is fed would have computed.
::tensorflow::DataType TypeOfResult(const NodeDef& node, int index) {
  if (node.op() == "DecodeWav") return index == 1 ? ::tensorflow::DT_INT32 : ::tensorflow::DT_FLOAT;
  for (const char* name : {"dtype", "DstT", "out_type", "output_type", "Tout", "T"}) {
    const ::tensorflow::AttrValue* type = FindAttr(node, name);
    if (type != nullptr && type->type() != ::tensorflow::DT_INVALID) return type->type();
  }
  const bool is_picture = node.op().compare(0, 6, "Decode") == 0;
  return is_picture ? ::tensorflow::DT_UINT8 : ::tensorflow::DT_FLOAT;
}

}  // namespace

Status GraphImporter::AddInputs(const std::vector<Port>& inputs) {
  ModelInputs added(options_, &assembler().graph(), diagnostics_);
  std::optional<ShapeGuesser> guesser;
  for (const Port& port : inputs) {
    MICRORT_ASSIGN_OR_RETURN(const TensorRef ref, ParseTensorRef(port.tensor));
    const NodeDef* node = main_.Find(ref.node);
    if (node == nullptr) return Invalid("input '{}': the graph has no node '{}'", port.name, ref.node);
    const ::tensorflow::DataType dtype =
        port.dtype != ::tensorflow::DT_INVALID ? port.dtype : TypeOfResult(*node, ref.index);
    ir::Value value;
    value.name = port.name;
    value.in_source = true;
    // Real and imaginary part are the last dimension.
    const bool is_complex = dtype == ::tensorflow::DT_COMPLEX64;
    value.dtype = is_complex ? DType::kFloat32 : DTypeOfTensorflow(dtype);
    if (value.dtype == DType::kUnknown)
      return Unsupported("input '{}' is of type {}; feed what is computed from it (--feeds)", port.name,
                         TypeName(dtype));
    const ::tensorflow::AttrValue* stored = FindAttr(*node, "shape");
    const auto* shape = port.shape ? &*port.shape : stored == nullptr ? nullptr : &stored->shape();
    const int producer = port.shape ? kFirstWithUnknownRank : model_.graph.versions().producer();
    if (shape != nullptr && HasShape(*shape, producer)) {
      value.has_shape = true;
      for (const auto& dim : shape->dim()) value.shape.push_back(dim.size() < 0 ? ir::kDynamic : dim.size());
    } else {
      if (!guesser) guesser.emplace(model_.graph);
      // What readers make likely is no reason to refuse what the user knows.
      value.has_shape = !added.HasShape(port.name) && guesser->Guess(ref.node, &value.shape);
    }
    if (is_complex && value.has_shape) value.shape.push_back(2);
    Result<ir::ValueId> id = added.Add(std::move(value));
    if (!id.ok()) return id.status().WithPrefix("input '%s'", port.name.c_str());
    if (node->op() == "VarHandleOp") {
      variables_.Give(SharedName(*node), *id, options_.config_variables_are_states);
      continue;
    }
    const std::string tensor = ref.index == 0 ? ref.node : ref.node + ":" + std::to_string(ref.index);
    TfValue given = TensorValue(*id);
    given.is_complex = is_complex;
    main_.Give(tensor, given);
  }
  return added.CheckOptions();
}

Status GraphImporter::AddOutputs(const std::vector<Port>& outputs) {
  for (const Port& port : outputs) {
    Result<TfValue> value = Evaluate(main_, port.tensor);
    if (!value.ok()) return value.status().WithPrefix("output '%s'", port.name.c_str());
    if (!value->is_reachable) continue;
    if (value->tensor == ir::kNoValue) return Invalid("output '{}' is no tensor", port.name);
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId id, assembler().AddOutput(port.name, value->tensor));
    WarnIfRenamed("output", port.name, assembler().graph().value(id), diagnostics_);
  }
  return Status();
}

Result<TfValue> GraphImporter::Evaluate(Scope& scope, const std::string& tensor) {
  MICRORT_ASSIGN_OR_RETURN(const TensorRef ref, ParseTensorRef(tensor));
  const TfValue* known = scope.Known(ref);
  if (known == nullptr) {
    MICRORT_RETURN_IF_ERROR(ImportUpTo(scope, ref.node));
    known = scope.Known(ref);
  }
  return Here(*known);
}

// Depth first, without recursion: graphs are chains of many thousand nodes.
Status GraphImporter::ImportUpTo(Scope& scope, const std::string& node) {
  std::vector<std::string> stack = {node};
  std::map<std::string, bool> is_open;
  while (!stack.empty()) {
    const std::string name = stack.back();
    const NodeDef* def = scope.Find(name);
    if (def == nullptr)
      return MICRORT_ERROR(kInvalidModel, "'%.100s' is read, but there is no such node", name.c_str());
    if (scope.IsDone(name)) {
      stack.pop_back();
      continue;
    }
    Result<std::vector<std::string>> missing = Missing(scope, *def);
    Status status = missing.status();
    if (status.ok() && missing->empty()) {
      stack.pop_back();
      status = AddNode(scope, *def);
    }
    if (!status.ok()) return status.WithPrefix("%s", Describe(Source(scope, *def)).c_str());
    if (missing->empty()) continue;
    if (std::exchange(is_open[name], true))
      return MICRORT_ERROR(kInvalidModel, "node '%.100s' needs its own output", name.c_str());
    stack.insert(stack.end(), missing->begin(), missing->end());
  }
  return Status();
}

Result<std::vector<std::string>> GraphImporter::Missing(const Scope& scope, const NodeDef& node) const {
  std::vector<std::string> missing;
  // A loop of TensorFlow 1 closes a circle; it is refused, whatever it reads.
  if (node.op() == "NextIteration" || node.op() == "RefNextIteration") return missing;
  for (const std::string& input : node.input()) {
    MICRORT_ASSIGN_OR_RETURN(const TensorRef ref, ParseTensorRef(input));
    const bool comes_first = !ref.is_control || scope.IsOrdered(ref.node);
    if (comes_first && scope.Known(ref) == nullptr) missing.push_back(ref.node);
  }
  return missing;
}

Result<TfValues> GraphImporter::GatherInputs(const Scope& scope, const NodeDef& node) {
  TfValues inputs;
  for (const std::string& input : node.input()) {
    MICRORT_ASSIGN_OR_RETURN(const TensorRef ref, ParseTensorRef(input));
    if (ref.is_control) continue;
    const TfValue* value = scope.Known(ref);
    if (value != nullptr && value->is_nothing())
      return MICRORT_ERROR(kUnsupported, "its input '%.100s' is no tensor that we have", input.c_str());
    inputs.push_back(value == nullptr ? UnreachableValue() : Here(*value));  // null: of a refused loop
  }
  return inputs;
}

Status GraphImporter::AddNode(Scope& scope, const NodeDef& node) {
  Result<TfValues> inputs = GatherInputs(scope, node);
  Status status = inputs.status();
  TfValues results;
  if (status.ok()) {
    const bool is_dead =
        std::any_of(inputs->begin(), inputs->end(), [](const TfValue& v) { return v.is_dead; });
    if (is_dead && node.op() != "Merge" && node.op() != "RefMerge") {
      scope.SetResults(node.name(), {DeadValue()});
      return Status();
    }
    const bool is_known = Importers().Find(node.op()) != nullptr;
    if (IsComplete(*inputs) || !is_known) status = Take(ImportNode(scope, node, *inputs), &results);
    if (!IsComplete(*inputs)) results.clear();
  }
  if (status.code() == StatusCode::kUnsupported) {
    MICRORT_RETURN_IF_ERROR(NoteUnsupported(Source(scope, node), status.message(), diagnostics_));
  } else if (!status.ok()) {
    misfits_ = ir::MaySuitOtherSizes(status);
    return status;
  }
  scope.SetResults(node.name(), std::move(results));
  return Status();
}

Result<TfValues> GraphImporter::ImportNode(Scope& scope, const NodeDef& node, const TfValues& inputs) {
  MICRORT_ASSIGN_OR_RETURN(std::optional<TfValues> results, ImportSpecial(scope, node, inputs));
  return results ? std::move(*results) : RunImporter(scope, node, inputs);
}

namespace {

// Operators of float64 that compute in float32: layers, and functions that series approximate.
bool ComputesInFloat32(const std::string& op) {
  static const std::set<std::string> kOps = SetOfWords(
      "AvgPool BatchCholesky BatchMatrixDeterminant BatchMatrixInverse BatchMatrixSolve "
      "BatchMatrixTriangularSolve BatchSelfAdjointEigV2 BatchSvd BesselI0 BesselI0e BesselI1 BesselI1e "
      "Betainc "
      "Cholesky Conv2D Conv2DBackpropInput DepthwiseConv2dNative Digamma Erfinv Igamma Igammac Lgamma "
      "LogMatrixDeterminant LogSoftmax MatrixDeterminant MatrixExponential MatrixInverse MatrixSolve "
      "MatrixTriangularSolve MaxPool MaxPoolV2 Ndtri Polygamma Qr SelfAdjointEigV2 Softmax "
      "SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits Svd TridiagonalMatMul "
      "TridiagonalSolve "
      "Zeta");
  return kOps.count(op) != 0;
}

bool NarrowDoubles(const std::string& op, ir::Builder& builder, std::vector<ir::ValueId>* tensors) {
  if (!ComputesInFloat32(op)) return false;
  bool narrows = false;
  for (ir::ValueId& id : *tensors) {
    if (id == ir::kNoValue || builder.graph().value(id).dtype != DType::kFloat64) continue;
    id = builder.Cast(id, DType::kFloat32);
    narrows = true;
  }
  return narrows;
}

}  // namespace

Result<TfValues> GraphImporter::RunImporter(Scope& scope, const NodeDef& node, const TfValues& inputs) {
  const OpImporter* importer = Importers().Find(node.op());
  const bool is_custom =
      importer == nullptr && IsUnknownOp(node.op()) && options_.custom_domains.count(kCustomDomain) != 0;
  if (importer == nullptr && !is_custom) return Unsupported(WhyNoOpImporter(node.op()));
  if (!is_custom) MICRORT_RETURN_IF_ERROR(importer->CheckCount(inputs.size()));
  const bool on_parts = !is_custom && WorksOnParts(node, inputs);
  std::vector<ir::ValueId> tensors;
  for (const TfValue& input : inputs) {
    if (input.is_complex && !on_parts && !TakesComplexNumbers(node.op()))
      return Unsupported("it reads complex numbers");
    if (input.list != nullptr) return Unsupported("it reads a list of tensors");
    tensors.push_back(input.tensor);
    if (input.tensor != ir::kNoValue) continue;
    // No operator with an importer changes variables, so it reads what the variable holds.
    if (is_custom) return Unsupported("it gets variable '{}'", input.variable);
    MICRORT_ASSIGN_OR_RETURN(tensors.back(), ReadVariable(scope, node, input.variable));
  }
  const ir::ValueId first_new = assembler().NextValue();
  const std::string name = scope.prefix() + node.name();
  ir::Builder builder = assembler().BuilderFor({name, node.op(), 0}, name);
  const bool narrows = !is_custom && !on_parts && NarrowDoubles(node.op(), builder, &tensors);
  OpContext c(node, scope.call(), assembler(), builder, std::move(tensors));
  bool is_complex = GivesComplexNumbers(node.op()) || (node.op() == "Identity" && inputs[0].is_complex);
  const Status imported = is_custom  ? ImportCustom(scope, node, c)
                          : on_parts ? ImportOnParts(*importer, scope.call(), inputs, c, &is_complex)
                                     : importer->import(c);
  MICRORT_RETURN_IF_ERROR(builder.status());
  MICRORT_RETURN_IF_ERROR(imported);
  TfValues results;
  for (size_t i = 0; i < c.outputs().size(); ++i) {
    ir::ValueId id = c.outputs()[i];
    if (narrows && id != ir::kNoValue && c.value(id).dtype == DType::kFloat32)
      id = builder.Cast(id, DType::kFloat64);
    results.push_back(TensorValue(id));
    results.back().is_complex = is_complex;
    if (id == ir::kNoValue) continue;
    assembler().NameResult(i == 0 ? name : name + ":" + std::to_string(i), id, first_new);
  }
  return results;
}

TfValue GraphImporter::Here(TfValue value) {
  if (!value.is_outer) return value;
  value.is_outer = false;
  if (value.tensor != ir::kNoValue) value.tensor = assembler().Capture(value.tensor);
  if (value.list == nullptr) return value;
  TensorList list = *value.list;
  list.item = ir::kNoValue;
  for (ir::ValueId* id : {&list.stacked, &list.length}) {
    if (*id != ir::kNoValue) *id = assembler().Capture(*id);
  }
  value.list = std::make_shared<const TensorList>(std::move(list));
  return value;
}

Status GraphImporter::ImportInside(const std::function<Status()>& import, ImportedBody* out) {
  MICRORT_RETURN_IF_ERROR(CheckMayEnter(assembler()));
  out->graph = std::make_shared<ir::Graph>();
  GraphAssembler inner(assembler(), out->graph.get());
  levels_.push_back(&inner);
  const InsideBody inside(inner, *out->graph);
  const bool misfits_around = std::exchange(misfits_, false);
  const Status status = import();
  out->misfits = std::exchange(misfits_, misfits_around);
  levels_.pop_back();
  out->captures = inner.captures();
  return status;
}

Status GraphImporter::ImportCustom(Scope& scope, const NodeDef& node, OpContext& c) {
  schema::CustomOptionsT options;
  const size_t outputs = scope.CountOutputsRead(node.name());
  if (outputs > kMaxCustomOutputs)
    return Unsupported("expected at most {} outputs of a custom operator, found {}", kMaxCustomOutputs,
                       outputs);
  MICRORT_RETURN_IF_ERROR(CustomOptionsOf(node, outputs, &options));
  const std::vector<ir::ValueId> ids = c.build.AddMany(std::move(options), c.inputs(), outputs);
  for (size_t i = 0; i < outputs; ++i) c.SetOutput(i, ids[i]);
  return c.build.status();
}

}  // namespace micrort::frontend::tensorflow
