#pragma once
// Branches and loops that a run decides, as graphs inside operators: what they hand out, and what they may
// not change.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/torchscript/ast.h"
#include "converter/frontend/torchscript/op_context.h"
#include "converter/frontend/torchscript/tensor_table.h"
#include "converter/frontend/torchscript/value.h"

namespace micrort::frontend::torchscript {

// Lists, dictionaries and objects that were there before a branch or loop began; only tensors may be changed.
class Frozen {
 public:
  // Adds all that the value holds; Restore takes them off again.
  void Add(const Value& value);
  std::set<const void*> Save() const { return things_; }
  size_t size() const { return things_.size(); }
  void Restore(std::set<const void*> things) { things_ = std::move(things); }
  bool Has(const void* thing) const { return things_.count(thing) != 0; }
  // kUnsupported if the value is one of them.
  Status CheckMayChange(const Value& value) const;

 private:
  std::set<const void*> things_;
};

// Names that the block assigns, in blocks inside it too.
void AssignedNames(const std::vector<Stmt>& block, std::set<std::string>* out);
// Names that a function reads, outside of one of its statements.
void NamesReadOutside(const std::vector<Stmt>& block, const Stmt& except, std::set<std::string>* out);

// Tensors and numbers of a value, in order.
void Leaves(const Value& value, std::vector<Value>* out);
// The value with its leaves replaced by those from *next on, of which there are enough.
Value WithLeaves(const Value& value, const std::vector<Value>& with, size_t* next);
// Whether both hold the same kinds of things in the same places.
bool HaveSameForm(const Value& a, const Value& b);

// While it lives, nodes go into a graph inside the one at hand. What tensors were before comes back at its
// end.
class BodyScope {
 public:
  BodyScope(TensorTable& table, ir::Graph* graph);
  ~BodyScope();
  BodyScope(const BodyScope&) = delete;
  BodyScope& operator=(const BodyScope&) = delete;

  GraphAssembler& inner() { return inner_; }
  // Appends tensors that were there before and have been changed.
  void NoteChanged(std::vector<std::shared_ptr<Tensor>>* changed) const;

 private:
  TensorTable& table_;
  GraphAssembler& outer_;
  GraphAssembler inner_;
  std::vector<TensorTable::Change> journal_;
  std::vector<TensorTable::Change>* const outer_journal_;
  const size_t outer_parts_;
};

// What a branch hands out under one name: its outputs [first, first + leaves).
struct HandedOut {
  Value value;
  size_t first = 0;
  std::vector<Value> leaves;
};

struct Branch {
  std::map<std::string, HandedOut> results;
  size_t first_changed = 0;  // outputs that stand for tensors changed in place
  bool has_raised = false;
  std::vector<DType> dtypes;  // of outputs
  std::vector<int> ranks;
};

// Appends a value as an output of the body at hand.
Status HandOut(TensorTable& table, const Value& value, Branch* branch);

}  // namespace micrort::frontend::torchscript
