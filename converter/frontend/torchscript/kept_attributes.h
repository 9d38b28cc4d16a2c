#pragma once
// Imports a model as often as it takes to know which of its attributes are states, and what they are at
// first.
//
// The code runs while the model is imported, so that numbers in attributes are known, and branches by them
// are decided. A model that prepares its states in its first run (`if self.batch == 0: self.reset()`) takes
// other branches in that than in later ones. The file gets what later runs compute, if it is proven that the
// first one computes the same from certain initial values of the states. Numbers that change with each run
// are states, too.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/frontend.h"
#include "converter/frontend/torchscript/states.h"
#include "converter/frontend/torchscript/work_meter.h"
#include "converter/frontend/torchscript/zip_archive.h"

namespace micrort::frontend::torchscript {

class KeptAttributes {
 public:
  KeptAttributes(const ZipArchive& archive, const ImportOptions& options, ir::Module* out,
                 ImportDiagnostics* diagnostics)
      : archive_(archive), options_(options), out_(*out), diagnostics_(*diagnostics) {}

  Status Import();

 private:
  // An import of the model in one of its runs.
  Status ImportRun(const StatePlan& plan, ChangedAttributes* changed);
  Status ImportOnce(const StatePlan& plan, ChangedAttributes* changed, std::set<std::string>* integer_inputs);

  Status ImportWithStarts();
  Status StartsAfter(const ChangedAttributes& first, Starts* later);
  Status ImportLater(const ChangedAttributes& first, Starts* later);
  Status ComputeNumbers(const ChangedAttributes& first, const Starts& later);
  Status ImportRunAfter(const ChangedAttributes& first, const StatePlan& plan, ChangedAttributes* second);
  Status FindInitial(const ChangedAttributes& first, Starts* later, bool* are_proven);
  Status TakeInitialFrom(const ir::Graph& graph, const ChangedAttributes& first, Starts* later);
  Status CheckSteady(const ChangedAttributes& first, const Starts& later, const ChangedAttributes& second);
  Status AddLater(const ChangedAttributes& first, const std::string& name, const Value& before);
  bool LeaveOutUseless();
  // The attribute is a number that no run knows, from now on; kUnsupported for others. `before` is what the
  // file has.
  Status MakeComputed(const std::string& name, const Value& before, const char* why);

  const ZipArchive& archive_;
  ImportOptions options_;  // with types of inputs that were found
  ir::Module& out_;
  ImportDiagnostics& diagnostics_;
  WorkMeter meter_;                   // of all imports
  Starts computed_;                   // numbers that no run knows
  std::set<std::string> seen_later_;  // attributes that only later runs read before they set them
  std::set<std::string> left_out_;    // those of no use
  int imports_ = 0;
  bool again_ = false;  // what was found out needs another beginning
};

}  // namespace micrort::frontend::torchscript
