#pragma once
// What all parts of an import of TorchScript's code share while the code runs.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/errors.h"
#include "converter/frontend/torchscript/ast.h"
#include "converter/frontend/torchscript/attribute_log.h"
#include "converter/frontend/torchscript/bodies.h"
#include "converter/frontend/torchscript/tensor_table.h"
#include "converter/frontend/torchscript/value.h"
#include "converter/frontend/torchscript/work_meter.h"

namespace micrort::frontend::torchscript {

using Keywords = std::vector<std::pair<std::string, Value>>;
using Names = std::map<std::string, Value>;

// A call of a function of the code.
struct Frame {
  const Function* function = nullptr;
  std::string path;  // of the module whose method it is
  Names names;
  std::map<std::string, const Stmt*> local_functions;
  Value result;
  int line = 0;
};

class AttributeScope;
class FilledLists;

struct ImportState {
  ImportState(TensorTable& tensors, ImportDiagnostics* found, WorkMeter* work)
      : table(tensors), diagnostics(found), meter(*work) {}

  // For a node that an operator becomes: with its module's path, and a number if there are more.
  std::string NodeName(const std::string& op);
  // Counts a statement that is run, of loops as often as they iterate.
  Status CountStatement();
  // An operator on plain data: counted before it runs.
  Answer RunPlainOp(const std::string& op, const std::vector<Value>& arguments);
  // container[key]
  Result<Value> GetElement(const Value& container, const Value& key);
  // What the value holds is neither too much nor too deep inside, for those who walk through it.
  Status CheckNesting(const Value& value);
  // It may become a part of the list, dictionary or object: it does not hold that itself.
  Status CheckInsertion(const Value& value, const Value& container);
  // Sets an attribute of an object. kUnsupported in a loop that a run decides, if the object was there
  // before.
  Status SetAttribute(const Value& object, const std::string& name, const Value& value);
  // Of what the code at a line does and the file does not.
  void Warn(int line, const std::string& text);
  // Warns that the model raises an exception there for some inputs, which no run notices.
  void WarnOfException(int line);

  TensorTable& table;
  ImportDiagnostics* const diagnostics;
  WorkMeter& meter;
  Frame* frame = nullptr;  // the innermost call
  // Runs a function of compositions.h.
  std::function<Result<Value>(const Function&, std::vector<Value>, Keywords)> run_function;
  std::map<std::string, int> node_names;
  Frozen frozen;
  AttributeLog attributes;
  AttributeScope* attribute_scope = nullptr;  // of the innermost branch or loop
  FilledLists* filled_lists = nullptr;        // of the innermost one, if it is a loop of so many iterations
  // The error at hand is an exception of the model, or of an operator that cannot run with the sizes of its
  // inputs.
  bool has_raised = false, misfits = false;

 private:
  Status Walk(const Value& value, const Value* container, int depth);

  int64_t statements_ = 0;
};

// An attribute of an object that was there before a branch began.
struct AttributePlace {
  std::shared_ptr<Object> object;
  std::string name;

  const Value& now() const { return *object->Find(name); }
  bool operator==(const AttributePlace& other) const { return object == other.object && name == other.name; }
};

// While it lives, a branch may set attributes of objects that were there before, or a loop may not. What they
// were comes back at its end.
class AttributeScope {
 public:
  enum class Of { kBranch, kLoop };

  AttributeScope(ImportState& state, Of what);
  ~AttributeScope();
  AttributeScope(const AttributeScope&) = delete;
  AttributeScope& operator=(const AttributeScope&) = delete;

  bool MaySet() const { return what_ == Of::kBranch; }
  void NoteChange(AttributePlace place, const Value& before);
  // Appends the places that were set and are not there yet.
  void AddPlaces(std::vector<AttributePlace>* places) const;

 private:
  struct Change {
    AttributePlace place;
    Value before;
  };

  ImportState& state_;
  AttributeScope* const outer_;
  const Of what_;
  std::vector<Change> changes_;
};

// While it lives, a branch or loop that a run decides is imported: what was there before is frozen, and names
// of nodes start again with each try.
class DecidedByRun {
 public:
  explicit DecidedByRun(ImportState& state);
  ~DecidedByRun();
  DecidedByRun(const DecidedByRun&) = delete;
  DecidedByRun& operator=(const DecidedByRun&) = delete;

  // kUnsupported where too many are inside each other.
  Status CheckDepth() const;
  void StartTry() { state_.node_names = node_names_; }
  // What was frozen before.
  const std::set<const void*>& around() const { return frozen_; }

 private:
  ImportState& state_;
  const std::map<std::string, int> node_names_;
  const std::set<const void*> frozen_;
  FilledLists* const filled_lists_;
};

}  // namespace micrort::frontend::torchscript
