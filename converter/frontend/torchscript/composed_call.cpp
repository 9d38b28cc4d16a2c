#include "converter/frontend/common/composed_call.h"

#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/operator_calls.h"

namespace micrort::frontend {

namespace {

// What has been appended since then is told to be of the caller's node, whose values the source model does
// not name.
class SinceThen {
 public:
  explicit SinceThen(GraphAssembler& assembler)
      : graph_(assembler.graph()), nodes_(graph_.nodes.size()), values_(assembler.NextValue()) {}

  void ComesFrom(const ir::Origin& origin) {
    for (size_t i = nodes_; i < graph_.nodes.size(); ++i) {
      graph_.nodes[i]->source_op = origin.op;
      graph_.nodes[i]->source_opset = origin.opset;
    }
    for (auto id = values_; id < static_cast<ir::ValueId>(graph_.value_count()); ++id)
      graph_.value(id).in_source = false;
  }

 private:
  ir::Graph& graph_;
  const size_t nodes_;
  const ir::ValueId values_;
};

torchscript::Value PlainValue(bool flag) { return torchscript::Value::Bool(flag); }
torchscript::Value PlainValue(int64_t number) { return torchscript::Value::Int(number); }
torchscript::Value PlainValue(double number) { return torchscript::Value::Float(number); }
torchscript::Value PlainValue(const std::string& text) { return torchscript::Value::String(text); }
torchscript::Value PlainValue(const std::vector<int64_t>& list) { return torchscript::Value::Ints(list); }

}  // namespace

Result<std::vector<ir::ValueId>> CallComposed(GraphAssembler& assembler, const ir::Origin& origin,
                                              const std::string& op,
                                              const std::vector<ComposedOperand>& tensors,
                                              const std::vector<ComposedOption>& others) {
  using namespace torchscript;
  const ZipArchive no_archive;
  CodeLibrary no_code(no_archive);
  TensorTable table(no_archive, &assembler);
  ImportDiagnostics diagnostics;
  WorkMeter meter;
  Evaluator evaluator(no_code, table, Value(), &diagnostics, &meter);
  Frame caller;
  caller.path = origin.name;
  evaluator.state().frame = &caller;
  std::vector<Value> arguments;
  for (const ComposedOperand& operand : tensors) {
    arguments.push_back(operand.tensor == ir::kNoValue ? Value()
                                                       : Value::OfTensor(table.Make(operand.tensor)));
    if (operand.tensor != ir::kNoValue) arguments.back().tensor->is_complex = operand.is_complex;
  }
  for (const ComposedOption& other : others)
    arguments.push_back(std::visit([](const auto& plain) { return PlainValue(plain); }, other));

  SinceThen appended(assembler);
  MICRORT_ASSIGN_OR_RETURN(Value result,
                           OperatorCalls(evaluator.state()).Call("aten::" + op, std::move(arguments), {}));
  if (!diagnostics.unsupported.empty()) return Unsupported(diagnostics.unsupported[0].reason);
  appended.ComesFrom(origin);
  const std::vector<Value> items = result.is_tensor() ? std::vector<Value>{result} : *result.items;
  std::vector<ir::ValueId> results(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    MICRORT_ASSIGN_OR_RETURN(results[i], table.Read(*items[i].tensor));
  }
  return results;
}

}  // namespace micrort::frontend
