#include "converter/frontend/tflite/subgraph_importer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <utility>

#include "converter/frontend/common/fetches.h"
#include "converter/frontend/tflite/custom_node.h"
#include "converter/frontend/tflite/quantized_values.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/stated_operator.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_table.h"
#include "kernels/elementwise/softmax_s16.h"

namespace micrort::frontend::tflite {

namespace {

// Quantizations of int16 that TensorFlow Lite's kernels refuse.

constexpr size_t kLstmCell = 19;  // input of UNIDIRECTIONAL_SEQUENCE_LSTM

// False for tensors of other types, and for those that say nothing of a scale.
bool ReadInt16(const fb::Tensor& tensor, ir::Quantization* q) {
  return tensor.type() == fb::TensorType::Int16 && IsQuantized(tensor) && ReadQuantization(tensor, q).ok();
}

std::string Fault(const fb::Tensor& tensor, const char* expected, double found) {
  char text[160];
  std::snprintf(text, sizeof text, "int16 '%.80s': TensorFlow Lite takes %s, found %g",
                NameOf(tensor).c_str(), expected, found);
  return text;
}

std::string ZeroPointFault(const fb::Tensor& tensor) {
  ir::Quantization q;
  if (!ReadInt16(tensor, &q) || q.zero_points.empty()) return "";
  return Fault(tensor, "no zero point but 0", q.zero_points[0]);
}

// Operators whose kernels subtract zero points of int16, too.
bool TakesZeroPoints(const std::string& op) { return op == "QUANTIZE" || op == "DEQUANTIZE"; }

bool HasTable(const std::string& op) { return op == "LOGISTIC" || op == "TANH" || op == "SOFTMAX"; }

std::string TableFault(const fb::Tensor& output) {
  ir::Quantization q;
  if (!ReadInt16(output, &q)) return "";
  if (std::fabs(q.scales[0] / kSoftmaxS16Scale - 1.0f) <= kSoftmaxS16Tolerance) return "";
  return Fault(output, "no scale but 1/32768 for what comes of a table", static_cast<double>(q.scales[0]));
}

std::string CellFault(const fb::Tensor& cell) {
  ir::Quantization q;
  int exponent = 0;
  if (!ReadInt16(cell, &q) || std::frexp(q.scales[0], &exponent) == 0.5f) return "";
  return Fault(cell, "powers of two as scales of a cell", static_cast<double>(q.scales[0]));
}

// The fault of the first such tensor of the operator: a zero point, the scale of a table's output, an
// LSTM's cell whose scale is no power of two. Empty if there is none.
std::string WhyInvalidInt16(const StatedOperator& op) {
  std::string why;
  if (TakesZeroPoints(op.name())) return why;
  for (size_t i = 0; i < op.input_count() && why.empty(); ++i) {
    if (op.has_input(i)) why = ZeroPointFault(op.tensor(i));
  }
  for (size_t i = 0; i < op.output_count() && why.empty(); ++i) {
    if (op.wants_output(i)) why = ZeroPointFault(op.output_tensor(i));
  }
  if (!why.empty()) return why;
  if (HasTable(op.name()) && op.wants_output(0)) return TableFault(op.output_tensor(0));
  if (op.name() == "UNIDIRECTIONAL_SEQUENCE_LSTM" && op.has_input(kLstmCell))
    return CellFault(op.tensor(kLstmCell));
  return "";
}

// Operators that take complex numbers besides those that are made for them.

ir::ValueId Joined(OpContext& c, ir::ValueId real, ir::ValueId imaginary) {
  const int last = c.value(real).rank();
  return c.build.Concat({c.build.InsertDim(real, last), c.build.InsertDim(imaginary, last)}, last);
}

Status ImportInParts(const OpImporter& importer, OpContext& c) {
  std::vector<OpContext::Output> parts[2];
  for (const int part : {0, 1}) {
    c.SelectPart(part);
    MICRORT_RETURN_IF_ERROR(importer.import(c));
    MICRORT_RETURN_IF_ERROR(c.build.status());
    parts[part] = c.outputs();
  }
  for (size_t i = 0; i < parts[0].size(); ++i) {
    if (!c.op.wants_output(i) || !IsComplex(c.op.output_tensor(i)) || parts[0][i].id == ir::kNoValue)
      continue;
    c.SetOutput(i, Joined(c, parts[0][i].id, parts[1][i].id));
  }
  return c.build.status();
}

// (a + bi)(c + di)
Status ImportProduct(OpContext& c) {
  if (c.op.Options<fb::MulOptionsT>().fused_activation_function != fb::ActivationFunctionType::None)
    return Unsupported("complex numbers with an activation");
  ir::ValueId x[2], y[2];
  for (const int part : {0, 1}) {
    c.SelectPart(part);
    x[part] = c.input(0);
    y[part] = c.input(1);
  }
  const auto product = [&](int i, int j) { return c.build.Mul(x[i], y[j]); };
  const ir::ValueId real = c.build.Sub(product(0, 0), product(1, 1));
  const ir::ValueId imaginary = c.build.Add(product(0, 1), product(1, 0));
  MICRORT_RETURN_IF_ERROR(c.build.status());
  return c.Return(Joined(c, real, imaginary));
}

// Whether the operator does to real and imaginary parts alike what it does to other numbers, or multiplies.
bool AllowsComplexNumbers(const std::string& op) {
  static const std::set<std::string> kOps = {
      "ADD",     "BROADCAST_TO", "CONCATENATION", "EXPAND_DIMS", "GATHER", "GATHER_ND", "MUL",
      "PACK",    "RANK",         "RESHAPE",       "REVERSE_V2",  "SHAPE",  "SLICE",     "SPLIT",
      "SPLIT_V", "SQUEEZE",      "STRIDED_SLICE", "SUB",         "TILE",   "TRANSPOSE", "UNPACK"};
  return kOps.count(op) != 0;
}

// The operator on the real parts of its complex inputs and on the imaginary ones, whose results are joined.
Status ImportComplex(const OpImporter& importer, OpContext& c) {
  return std::string(importer.op) == "MUL" ? ImportProduct(c) : ImportInParts(importer, c);
}

// Loops inside loops are imported again where iterations change shapes; no real model comes near.
constexpr size_t kMaxCalledOperators = 1 << 18;

std::vector<std::string> Keys(const flatbuffers::Vector<int32_t>* list) {
  std::vector<std::string> out;
  for (const int32_t index : Indices(list)) out.push_back(index < 0 ? "" : std::to_string(index));
  return out;
}

// Once of operators that are imported several times.
void WarnOnce(std::string text, ImportDiagnostics* diagnostics) {
  std::vector<std::string>& all = diagnostics->warnings;
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

}  // namespace

SubgraphImporter::SubgraphImporter(const ModelFile& file, size_t subgraph, const ImportOptions& options,
                                   ir::Graph* graph, ImportDiagnostics* diagnostics)
    : file_(file),
      index_(subgraph),
      subgraph_(file.subgraph(subgraph)),
      options_(options),
      diagnostics_(diagnostics),
      assembler_(graph),
      tensors_(file_, subgraph_, &assembler_) {}

SubgraphImporter::SubgraphImporter(SubgraphImporter& caller, size_t subgraph, ir::Graph* graph)
    : file_(caller.file_),
      index_(subgraph),
      subgraph_(file_.subgraph(subgraph)),
      options_(caller.options_),
      diagnostics_(caller.diagnostics_),
      caller_(&caller),
      called_operators_(caller.called_operators_),
      assembler_(caller.assembler_, graph),
      tensors_(file_, subgraph_, &assembler_),
      variables_(caller.variables_, &assembler_) {}

Status SubgraphImporter::ImportOperators(const std::vector<int32_t>& outputs, bool only_needed) {
  dilated_convs_.Find(file_, subgraph_, outputs);
  if (subgraph_.operators() == nullptr) return Status();
  std::vector<bool> is_needed(subgraph_.operators()->size(), true);
  if (only_needed) is_needed = NeededOperators(outputs);
  for (flatbuffers::uoffset_t i = 0; i < subgraph_.operators()->size(); ++i) {
    if (!is_needed[i]) continue;
    const fb::Operator& op = *subgraph_.operators()->Get(i);
    if (Status s = AddOperator(op); !s.ok()) return s.WithPrefix("%s", Describe(Source(op)).c_str());
  }
  return Status();
}

std::vector<bool> SubgraphImporter::NeededOperators(const std::vector<int32_t>& outputs) const {
  // An operator without outputs is there for what it does; one that runs subgraphs may be.
  const std::string effect = "effect";
  std::vector<NodeEdges> edges;
  for (const fb::Operator* op : *subgraph_.operators()) {
    edges.push_back({Keys(op->inputs()), Keys(op->outputs())});
    if (edges.back().writes.empty() || RunsSubgraphs(file_.OpName(*op)))
      edges.back().writes.push_back(effect);
  }
  std::vector<std::string> wanted = {effect};
  for (const int32_t index : outputs) wanted.push_back(std::to_string(index));
  return NeededNodes(edges, wanted);
}

SourceNode SubgraphImporter::Source(const fb::Operator& op) const {
  SourceNode source;
  source.op = file_.OpName(op);
  for (const int32_t index : Indices(op.outputs())) {
    if (index >= 0 && source.name.empty()) source.name = NameOf(tensors_.Stated(index));
  }
  if (source.name.empty()) source.name = source.op;
  return source;
}

Status SubgraphImporter::AddOperator(const fb::Operator& op) {
  const SourceNode source = Source(op);
  bool reachable = true;
  Status status;
  if (ImporterFor(source.op, options_) == nullptr) {
    status = Unsupported(WhyNoImporter(source.op));
  } else {
    status = PrepareInputs(op, &reachable);
    if (status.ok() && reachable) status = ImportOperator(op, source);
    if (status.ok() && reachable) return Status();
    misfits_ = ir::MaySuitOtherSizes(status);
  }
  if (!status.ok() && status.code() != StatusCode::kUnsupported) return status;
  if (!status.ok() && !std::exchange(is_incomplete_, false))
    MICRORT_RETURN_IF_ERROR(NoteUnsupported(source, status.message(), diagnostics_));
  for (const int32_t index : Indices(op.outputs())) {
    if (index >= 0) tensors_.At(index).is_unreachable = true;
  }
  return Status();
}

Status SubgraphImporter::PrepareInputs(const fb::Operator& op, bool* reachable) {
  for (const int32_t index : Indices(op.inputs())) {
    if (index >= 0) MICRORT_RETURN_IF_ERROR(tensors_.Prepare(index, reachable));
  }
  return Status();
}

Status SubgraphImporter::CheckInputs(const OpImporter& importer, const fb::Operator& op) const {
  const std::vector<int32_t> inputs = Indices(op.inputs());
  MICRORT_RETURN_IF_ERROR(importer.CheckCount(inputs.size()));
  for (int i = 0; i < static_cast<int>(inputs.size()); ++i) {
    const int32_t index = inputs[static_cast<size_t>(i)];
    if (index < 0 && i < importer.min_inputs) return Invalid("input {} is required, but absent", i);
    if (index >= 0 && IsComplex(tensors_.Stated(index)) && !TakesComplexNumbers(importer.op) &&
        !AllowsComplexNumbers(importer.op))
      return Unsupported("input {} has complex numbers", i);
  }
  return Status();
}

bool SubgraphImporter::ReadsComplexNumbers(const fb::Operator& op) const {
  const std::vector<int32_t> inputs = Indices(op.inputs());
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](int32_t index) { return index >= 0 && IsComplex(tensors_.Stated(index)); });
}

Status SubgraphImporter::ImportOperator(const fb::Operator& op, const SourceNode& source) {
  const OpImporter& importer = *ImporterFor(source.op, options_);
  MICRORT_RETURN_IF_ERROR(CheckInputs(importer, op));
  const ir::ValueId first_new = assembler_.NextValue();
  ir::Builder builder = assembler_.BuilderFor({source.name, source.op, 0}, source.name);
  OpContext c(op, builder, *this);
  const Status imported = ReadsComplexNumbers(op) && AllowsComplexNumbers(importer.op)
                              ? ImportComplex(importer, c)
                              : importer.import(c);
  MICRORT_RETURN_IF_ERROR(tensors_.misuse());
  MICRORT_RETURN_IF_ERROR(builder.status());
  MICRORT_RETURN_IF_ERROR(imported);
  if (const std::string why = WhyInvalidInt16(c.op); !why.empty())
    WarnOnce(Describe(source) + ": " + why + "; it is computed all the same", diagnostics_);
  return TakeOutputs(op, c, builder, first_new);
}

Status SubgraphImporter::TakeOutputs(const fb::Operator& op, const OpContext& c, ir::Builder& builder,
                                     ir::ValueId first_new) {
  const std::vector<int32_t> indices = Indices(op.outputs());
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || IsHandle(tensors_.Stated(indices[i]))) continue;
    const OpContext::Output& output = c.outputs()[i];
    if (output.id == ir::kNoValue) return Unsupported("output {} is not supported", i);
    const Status status = tensors_.Take(indices[i], output.id, output.is_stored, builder, first_new);
    if (!status.ok()) return status.WithPrefix("output %zu", i);
  }
  return builder.status();
}

Status SubgraphImporter::Argument(int32_t index, TensorValue* out) {
  if (index < 0) return Invalid("an input or output is absent");
  bool reachable = true;
  MICRORT_RETURN_IF_ERROR(tensors_.Prepare(index, &reachable));
  *out = tensors_.At(index);
  out->tensor = &tensors_.Stated(index);
  if (out->is_set() || out->is_unreachable || !out->variable.empty()) return Status();
  Result<ir::ValueId> state = variables_.Read(VariableKey(index_, index));
  if (!state.ok()) return state.status().WithPrefix("tensor %d", index);
  const bool is_stored = !assembler_.graph().value(*state).quantization.empty();
  (is_stored ? out->stored : out->real) = *state;
  return Status();
}

Status SubgraphImporter::PassedArgument(int32_t index, ir::Builder& builder, TensorValue* out) {
  MICRORT_RETURN_IF_ERROR(Argument(index, out));
  if (out->stored == ir::kNoValue || !IsQuantizedActivation(tensors_.Stated(index))) return Status();
  out->real = tensors_.At(index).is_set()
                  ? tensors_.Real(index, builder)
                  : StoredForm::Of(builder.graph().value(out->stored)).Real(out->stored, builder);
  out->stored = ir::kNoValue;
  return builder.status();
}

Status SubgraphImporter::CheckCall(int64_t subgraph, size_t arguments) {
  MICRORT_RETURN_IF_ERROR(CheckSubgraphIndex(file_, subgraph));
  const auto index = static_cast<size_t>(subgraph);
  int depth = 0;
  for (const SubgraphImporter* caller = this; caller != nullptr; caller = caller->caller_) {
    if (caller->index_ == index) return Invalid("subgraph {} runs itself: expected no cycle", index);
    if (++depth > kMaxCallDepth)
      return Unsupported("more than {} subgraphs that run each other", kMaxCallDepth);
  }
  const fb::SubGraph& graph = file_.subgraph(index);
  const size_t inputs = Indices(graph.inputs()).size();
  if (inputs != arguments)
    return Invalid("subgraph {} has {} inputs, and is given {}", index, inputs, arguments);
  *called_operators_ += graph.operators() == nullptr ? 0 : graph.operators()->size();
  if (*called_operators_ <= kMaxCalledOperators) return Status();
  return Unsupported("more than {} operators in subgraphs that run each other", kMaxCalledOperators);
}

Status SubgraphImporter::Incomplete() {
  is_incomplete_ = true;
  return Unsupported("an operator inside it");
}

}  // namespace micrort::frontend::tflite
