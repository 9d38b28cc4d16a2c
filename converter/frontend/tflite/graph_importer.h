#pragma once
// One subgraph of the file into one graph of ours.

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/tflite/dilated_convs.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/signature.h"
#include "converter/frontend/tflite/variables.h"

namespace micrort::frontend::tflite {

// A tensor of a subgraph, while that is imported. A quantized one has two forms, its integers and the real
// numbers that these stand for.
struct TensorValue {
  ir::ValueId stored = ir::kNoValue, real = ir::kNoValue;
  ir::ValueId outer = ir::kNoValue;  // of the graph around, captured when it is read
  std::string variable = {};         // of a handle: the name of what it stands for
  bool is_unreachable = false;       // after an operator that cannot be imported
  const fb::Tensor* tensor = nullptr;
  bool is_set() const { return stored != ir::kNoValue || real != ir::kNoValue || outer != ir::kNoValue; }
  ir::ValueId any() const { return stored != ir::kNoValue ? stored : real; }
};

// A variable whose integers stand for real numbers goes into graphs inside operators, and comes out of them,
// as these; this is what it is else. Without scales: it is handed on as it is.
struct StoredForm {
  DType dtype = DType::kUnknown;
  ir::Quantization quantization = {};

  ir::ValueId Real(ir::ValueId stored, ir::Builder& builder) const;
  ir::ValueId Stored(ir::ValueId real, ir::Builder& builder) const;
};

// What iterations of a loop hand on: a tensor, or a variable that the loop's subgraphs change.
struct CarriedValue {
  ir::ValueId first = ir::kNoValue;  // before the loop
  int position = -1;                 // among the loop's inputs; -1: a variable
  std::string variable = {};
  StoredForm form = {};        // of the variable
  uint32_t changing_dims = 0;  // dimensions that iterations change, a bit each
};

// Operators are imported in order. One that cannot be imported is noted and its outputs are marked, so that
// all such operators are found.
//
// A subgraph that an operator runs has an importer of its own. Values come to it as arguments only, but it
// shares variables with those that run it.
class GraphImporter {
 public:
  GraphImporter(const ModelFile& file, EntryPoint entry, const ImportOptions& options, ir::Graph* graph,
                ImportDiagnostics* diagnostics);

  Status Import();

  // For a subgraph that gives variables their first values (CALL_ONCE).
  Status ImportInitial(Variables::Initial* out);

  const ModelFile& file() const { return file_; }
  const DilatedConvs& dilated_convs() const { return dilated_convs_; }
  const fb::Tensor& TensorAt(int32_t index) const {
    return *subgraph_.tensors()->Get(static_cast<flatbuffers::uoffset_t>(index));
  }

  // For importers, of tensors that their operator reads. A quantized tensor has two forms, its integers and
  // the real numbers that these stand for; what is not there yet is computed.
  ir::ValueId RealValue(int32_t index, ir::Builder& builder);
  ir::ValueId StoredValue(int32_t index, ir::Builder& builder);

  // For importers, of variables: by handles, and tensors that operators change, as real numbers.
  void BindHandle(int32_t tensor, const std::string& name) { At(tensor).variable = name; }
  Status ReadVariable(int32_t handle, ir::ValueId* out);
  Status AssignVariable(int32_t handle, ir::ValueId id);
  Status ReadVariableTensor(int32_t tensor, ir::ValueId* out);
  Status AssignVariableTensor(int32_t tensor, ir::ValueId id);

  // For operators that run subgraphs. Numbers of subgraphs are as the file has them.
  //
  // Whether a bool is the same, however inputs are sized. False leaves *value alone.
  bool IsSettled(ir::ValueId id, bool* value) const { return assembler_.IsSettled(id, value); }
  // The value of a tensor that the operator reads; for graphs inside operators real numbers alone where it is
  // quantized.
  Status Argument(int32_t index, TensorValue* out);
  Status PassedArgument(int32_t index, ir::Builder& builder, TensorValue* out);
  // Appends the subgraph's operators as if they stood where the operator does.
  Status Inline(int64_t subgraph, const std::vector<TensorValue>& arguments,
                std::vector<TensorValue>* results);
  // The two subgraphs of an IF. Outputs: theirs, in the form of PassedArgument, then the variables that one
  // of them changes, by name.
  Status ImportBranches(const int64_t (&subgraphs)[2], const std::vector<TensorValue>& arguments,
                        ImportedBody (&out)[2], std::set<std::string>* changed);
  // The subgraphs of a WHILE as the body of a Loop. *carried: the tensors that it carries; the variables that
  // it changes are added. Outputs: whether to go on, then the carried values.
  Status ImportLoop(int64_t condition, int64_t body, const std::vector<TensorValue>& arguments,
                    ir::Builder& builder, std::vector<CarriedValue>* carried, ImportedBody* out);
  // A variable after an operator whose subgraphs change it has what the operator gives for it.
  Status TakeVariable(const std::string& variable, ir::ValueId id, ir::Builder& builder);

 private:
  // A subgraph that `parent` runs, with nodes that go to `graph`.
  GraphImporter(GraphImporter& parent, size_t subgraph, ir::Graph* graph);

  Status CheckCall(int64_t subgraph, const std::vector<TensorValue>& arguments) const;
  Status BindArguments(const std::vector<TensorValue>& arguments);
  // The same, with values of the graph around; arguments that are bound already stay.
  Status BindOuter(const std::vector<TensorValue>& arguments);
  Status ImportCalled();
  Status TakeResults(std::vector<TensorValue>* results);
  using Inside = std::function<Status(GraphImporter& inner)>;
  Status ImportInside(int64_t subgraph, const std::vector<TensorValue>& arguments, const Inside& import,
                      ImportedBody* out);
  Status ImportBranch(const std::vector<TensorValue>& arguments, const std::set<std::string>& changed);
  Status ImportIteration(int64_t condition, const std::vector<TensorValue>& arguments,
                         const std::vector<CarriedValue>& carried);
  Status AddPassedOutput(int32_t index);
  Status AddVariableOutput(const std::string& variable);
  void AddScalarInput(const char* name, DType dtype);
  Status AddCarriedInput(const CarriedValue& carried);
  Status WidenCarried(std::vector<CarriedValue>* carried, bool* changed) const;
  Status CarryVariables(const std::set<std::string>& assigned, ir::Builder& builder,
                        std::vector<CarriedValue>* carried, bool* changed);
  Status CurrentOf(const std::string& variable, ir::ValueId* out);
  StoredForm FormOf(ir::ValueId id) const { return {graph_.value(id).dtype, graph_.value(id).quantization}; }
  bool IsDeclared(const std::string& variable) const;

  Status DeclareVariables();
  Status SelectOutputs();
  std::vector<bool> NeededOperators() const;
  Status AddInputs();
  Status ImportOperators();
  Status AddOperator(const fb::Operator& op);
  Status ImportOperator(const fb::Operator& op, const SourceNode& source);
  Status CheckInputs(const OpImporter& importer, const fb::Operator& op) const;
  // What an operator reads is there, and constants among it are read.
  Status Prepare(int32_t index, bool* reachable);
  Status PrepareInputs(const fb::Operator& op, bool* reachable);
  Status AddConstant(int32_t index);
  Status TakeOutputs(const fb::Operator& op, const OpContext& c, ir::Builder& builder, ir::ValueId first_new);
  Status TakeOutput(int32_t index, const OpContext::Output& output, ir::Builder& builder,
                    ir::ValueId first_new);
  ir::ValueId Misused(int32_t index, ir::Builder& builder);
  Status AddOutputs();
  // What an input or output is called.
  std::string PortName(int32_t index, const std::map<int32_t, std::string>& names) const;
  SourceNode Source(const fb::Operator& op) const;
  TensorValue& At(int32_t index) { return values_[static_cast<size_t>(index)]; }

  const ModelFile& file_;
  const EntryPoint entry_;  // names are those of the model's inputs and outputs
  const size_t index_;      // of the subgraph
  const fb::SubGraph& subgraph_;
  const ImportOptions& options_;
  GraphAssembler assembler_;
  ir::Graph& graph_;  // the assembler's
  ImportDiagnostics* diagnostics_;
  GraphImporter* const parent_ = nullptr;
  std::shared_ptr<size_t> called_operators_ = std::make_shared<size_t>(0);
  bool is_incomplete_ = false;  // the operator at hand runs operators that cannot be imported, and are noted
  Variables variables_;
  DilatedConvs dilated_convs_;
  std::vector<TensorValue> values_;  // by index of the tensor
  Status misuse_;                    // a variable was read as a value
  std::vector<int32_t> outputs_;     // of the subgraph, or those that the user wants
};

}  // namespace micrort::frontend::tflite
