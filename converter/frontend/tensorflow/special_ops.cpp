// Operators about what is no tensor: constants and variables of the file, calls of functions, branches.

#include "converter/frontend/tensorflow/graph_importer.h"

namespace micrort::frontend::tensorflow {

namespace {

// Of calls inside calls, and of all calls: functions that call others twice grow without bound.
constexpr int kMaxDepth = 64;
constexpr size_t kMaxCalls = 100000;

std::string SharedName(const ::tensorflow::NodeDef& node) {
  const auto found = node.attr().find("shared_name");
  return found == node.attr().end() || found->second.s().empty() ? node.name() : found->second.s();
}

const ::tensorflow::NameAttrList* FunctionAttr(const ::tensorflow::NodeDef& node, const char* name) {
  const auto found = node.attr().find(name);
  return found == node.attr().end() || !found->second.has_func() ? nullptr : &found->second.func();
}

bool IsOneOf(const std::string& op, std::initializer_list<const char*> ops) {
  for (const char* candidate : ops) {
    if (op == candidate) return true;
  }
  return false;
}

}  // namespace

TfValue GraphImporter::AddConstant(const Scope& scope, const NodeDef& node, ConstantTensor tensor) {
  ir::Graph& graph = assembler_.graph();
  const ir::ValueId id = graph.AddConstant(scope.prefix() + node.name(), tensor.dtype,
                                           std::move(tensor.shape), std::move(tensor.data));
  return {id, "", true, false};
}

Status GraphImporter::ImportConstant(const Scope& scope, const NodeDef& node, std::vector<TfValue>* results) {
  const auto found = node.attr().find("value");
  if (found == node.attr().end() || !found->second.has_tensor()) {
    return MICRORT_ERROR(kInvalidModel, "the constant has no value");
  }
  ConstantTensor tensor;
  MICRORT_RETURN_IF_ERROR(ReadTensor(found->second.tensor(), &tensor));
  results->push_back(AddConstant(scope, node, std::move(tensor)));
  return Status();
}

Status GraphImporter::ReadVariable(const Scope& scope, const NodeDef& node, const std::string& variable,
                                   std::vector<TfValue>* results) {
  const auto found = variables_.find(variable);
  if (found != variables_.end()) {
    results->push_back(found->second);
    return Status();
  }
  if (!model_.checkpoint.is_open()) {
    return MICRORT_ERROR(
        kInvalidModel,
        "variable '%s' has no value: give the whole SavedModel, with its folder variables/, or "
        "freeze the graph",
        variable.c_str());
  }
  ConstantTensor tensor;
  MICRORT_RETURN_IF_ERROR(
      model_.checkpoint.Read(variable, &tensor).WithPrefix("variable '%s'", variable.c_str()));
  results->push_back(AddConstant(scope, node, std::move(tensor)));
  variables_[variable] = results->back();
  return Status();
}

Status GraphImporter::ImportSpecial(Scope& scope, const NodeDef& node, const std::vector<TfValue>& inputs,
                                    std::vector<TfValue>* results, bool* is_special) {
  const std::string& op = node.op();
  if (op == "Const") return ImportConstant(scope, node, results);
  if (IsOneOf(op, {"VarHandleOp", "VariableV2", "Variable"})) {
    results->push_back({ir::kNoValue, SharedName(node), true, false});
    return Status();
  }
  const bool reads_variable = inputs.size() == 1 && !inputs[0].variable.empty();
  if (op == "ReadVariableOp") {
    if (!reads_variable) return MICRORT_ERROR(kUnsupported, "its input is no variable of the model");
    return ReadVariable(scope, node, inputs[0].variable, results);
  }
  if (op == "Identity" && reads_variable) {
    // In graphs of TensorFlow 1 it reads the variable, else it hands the resource on.
    const auto type = node.attr().find("T");
    const bool is_resource = type != node.attr().end() && type->second.type() == ::tensorflow::DT_RESOURCE;
    if (!is_resource) return ReadVariable(scope, node, inputs[0].variable, results);
    results->push_back(inputs[0]);
    return Status();
  }
  if (op == "NoOp" || op == "Assert") return Status();
  if (op == "Placeholder" || op == "PlaceholderV2") {
    return MICRORT_ERROR(kInvalidArgument, "the placeholder is needed, but not among the inputs (--feeds)");
  }
  if (IsOneOf(op, {"PartitionedCall", "StatefulPartitionedCall"})) {
    const ::tensorflow::NameAttrList* function = FunctionAttr(node, "f");
    if (function == nullptr) return MICRORT_ERROR(kInvalidModel, "it names no function");
    return ImportCall(scope, node, function->name(), &function->attr(), inputs, results);
  }
  if (functions_.count(op) != 0) return ImportCall(scope, node, op, &node.attr(), inputs, results);
  if (IsOneOf(op, {"If", "StatelessIf"})) return ImportIf(scope, node, inputs, results);
  if (IsOneOf(op, {"Switch", "RefSwitch"})) return ImportSwitch(inputs, results);
  if (IsOneOf(op, {"Merge", "RefMerge"})) {
    for (const TfValue& input : inputs) {
      if (input.is_dead) continue;
      results->push_back(input);
      return Status();
    }
    results->push_back({ir::kNoValue, "", true, true});
    return Status();
  }
  *is_special = false;
  return Status();
}

Status GraphImporter::ImportCall(Scope& scope, const NodeDef& node, const std::string& function,
                                 const AttrMap* attributes, const std::vector<TfValue>& inputs,
                                 std::vector<TfValue>* results) {
  const auto found = functions_.find(function);
  if (found == functions_.end()) {
    return MICRORT_ERROR(kInvalidModel, "there is no function '%.100s'", function.c_str());
  }
  if (scope.depth() >= kMaxDepth) {
    return MICRORT_ERROR(kUnsupported, "more than %d calls inside each other", kMaxDepth);
  }
  if (++calls_ > kMaxCalls) return MICRORT_ERROR(kUnsupported, "more than %zu calls of functions", kMaxCalls);
  const ::tensorflow::FunctionDef& callee = *found->second;
  const auto& signature = callee.signature();
  if (static_cast<size_t>(signature.input_arg_size()) != inputs.size()) {
    return MICRORT_ERROR(kUnsupported, "function '%.100s' takes %d arguments, and is given %zu",
                         function.c_str(), signature.input_arg_size(), inputs.size());
  }
  Scope inner(scope.prefix() + node.name() + "/", attributes, scope.depth() + 1);
  MICRORT_RETURN_IF_ERROR(inner.AddNodes(callee.node_def()));
  for (int i = 0; i < signature.input_arg_size(); ++i) {
    inner.Give(signature.input_arg(i).name(), inputs[static_cast<size_t>(i)]);
  }
  for (const auto& output : signature.output_arg()) {
    const auto ret = callee.ret().find(output.name());
    if (ret == callee.ret().end()) {
      return MICRORT_ERROR(kInvalidModel, "function '%.100s' does not return '%.100s'", function.c_str(),
                           output.name().c_str());
    }
    TfValue value;
    MICRORT_RETURN_IF_ERROR(Evaluate(inner, ret->second, &value));
    results->push_back(std::move(value));
  }
  return Status();
}

Status GraphImporter::ConstantCondition(const TfValue& value, bool* out) const {
  if (value.tensor == ir::kNoValue) return MICRORT_ERROR(kUnsupported, "the condition is a variable");
  const ir::Value& tensor = assembler_.graph().value(value.tensor);
  if (!tensor.is_constant() || tensor.dtype != DType::kBool || tensor.data->size() != 1) {
    return MICRORT_ERROR(kUnsupported, "the condition is not constant");
  }
  *out = (*tensor.data)[0] != 0;
  return Status();
}

Status GraphImporter::ImportIf(Scope& scope, const NodeDef& node, const std::vector<TfValue>& inputs,
                               std::vector<TfValue>* results) {
  if (inputs.empty()) return MICRORT_ERROR(kInvalidModel, "it has no condition");
  bool condition = false;
  MICRORT_RETURN_IF_ERROR(ConstantCondition(inputs[0], &condition));
  const ::tensorflow::NameAttrList* branch = FunctionAttr(node, condition ? "then_branch" : "else_branch");
  if (branch == nullptr) return MICRORT_ERROR(kInvalidModel, "it names no function");
  return ImportCall(scope, node, branch->name(), &branch->attr(), {inputs.begin() + 1, inputs.end()},
                    results);
}

Status GraphImporter::ImportSwitch(const std::vector<TfValue>& inputs, std::vector<TfValue>* results) const {
  if (inputs.size() != 2) return MICRORT_ERROR(kInvalidModel, "expected 2 inputs, found %zu", inputs.size());
  bool condition = false;
  MICRORT_RETURN_IF_ERROR(ConstantCondition(inputs[1], &condition));
  const TfValue dead = {ir::kNoValue, "", true, true};
  results->push_back(condition ? dead : inputs[0]);
  results->push_back(condition ? inputs[0] : dead);
  return Status();
}

}  // namespace micrort::frontend::tensorflow
