#pragma once
// A branch that the values of inputs decide becomes an If.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/torchscript/evaluator.h"

namespace micrort::frontend::torchscript {

class BranchImporter {
 public:
  BranchImporter(Evaluator& evaluator, const Stmt& stmt, const Value& condition)
      : evaluator_(evaluator), state_(evaluator.state()), stmt_(stmt), condition_(condition) {}

  Status Import();

 private:
  Status ImportInScope();
  Status Try(bool* is_done);
  Status RunBranches();
  Status RunBranch(const std::vector<Stmt>& block, ImportedBody* body, Branch* branch);
  Status HandOutResults(Branch* branch);
  Status HandOutResult(const std::string& name, Value value, Branch* branch);
  // Notes what a branch has to make up because only the other one sets it. False: there is nothing new.
  bool FindStandIns();
  Status SkipRaising();
  Status FindBranchOfElements();
  Status SkipOfNothing();
  Status Merge();
  Status PairResults();
  void PairLeaves(const std::string& name, const HandedOut& first, const HandedOut& second,
                  std::vector<ir::ValueId> (*outputs)[2]);
  Value* MergedPlace(const std::string& name);
  Status SetAttributes();
  Status AppendIf(std::vector<ir::ValueId>* outputs);

  // For a name that one branch alone sets, as the code says that it is read only if that one has run: the
  // other one hands out zeros of the same shapes.
  struct StandIn {
    Value form;
    std::vector<Value> leaves;
    std::vector<DType> dtypes;  // of the leaves
    std::vector<std::vector<int64_t>> shapes;
  };
  Status MakeUp(const StandIn& stand_in, Value* out);

  // A tensor or number of what is handed out.
  struct Leaf {
    Value value;
    int output = -1;  // of the If; -1: the same in both branches
  };

  Evaluator& evaluator_;
  ImportState& state_;
  const Stmt& stmt_;
  const Value condition_;
  std::set<std::string> asked_for_;               // names that later code reads
  std::vector<std::shared_ptr<Tensor>> changed_;  // in place, by a branch
  std::vector<AttributePlace> set_;               // attributes, by a branch
  std::map<std::string, StandIn> stand_ins_[2];   // of each branch, by name
  // State of the current try:
  size_t known_changed_ = 0, known_set_ = 0;
  ImportedBody bodies_[2];
  Branch branches_[2];
  std::map<std::string, std::vector<Leaf>> merged_;  // by name
  std::vector<Value> attributes_;                    // of `set_`, what they are behind the branches
  int of_elements_ = -1;                             // the one of two branches that is taken alone
};

}  // namespace micrort::frontend::torchscript
