#include "converter/frontend/torchscript/kept_attributes.h"

#include <algorithm>
#include <utility>

#include "converter/frontend/common/diagnostics.h"
#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/evaluator.h"
#include "converter/frontend/torchscript/module_reader.h"
#include "converter/frontend/torchscript/ports.h"
#include "converter/ir/same_results.h"

namespace micrort::frontend::torchscript {

namespace {

// No real model comes near; a model could ask for one more for each of its attributes.
constexpr int kMaxImports = 50;

constexpr char kWhatToDo[] =
    "make what decides it a constant (--input-value, --input-shape), or save a model whose states are "
    "inputs and outputs (--state)";

Status Refused(const std::string& name, const char* why) {
  return Unsupported("attribute '{}' is kept from run to run, but {}; {}", name, why, kWhatToDo);
}

// The code does not run with what these attributes become; numbers that no run knows come first.
Status CannotRun(const StatePlan& plan, const Status& why) {
  if (why.code() != StatusCode::kUnsupported) return why;
  const auto is_computed = [](const auto& start) {
    return start.second.is_number() && start.second.leaves[0].is_computed_always;
  };
  const auto found = std::find_if(plan.starts.begin(), plan.starts.end(), is_computed);
  return Refused((found == plan.starts.end() ? plan.starts.begin() : found)->first, why.message());
}

// Inputs that outputs follow from, through states as well.
std::set<ir::ValueId> NeededInputs(const ir::Graph& graph) {
  const ir::Graph::Uses uses = graph.ComputeUses();
  std::set<ir::ValueId> seen;
  std::vector<ir::ValueId> left(graph.outputs.begin(),
                                graph.outputs.begin() + static_cast<ptrdiff_t>(graph.caller_outputs()));
  while (!left.empty()) {
    const ir::ValueId id = left.back();
    left.pop_back();
    if (id == ir::kNoValue || !seen.insert(id).second) continue;
    const ir::Node* node = uses.producer[static_cast<size_t>(id)];
    if (node != nullptr) left.insert(left.end(), node->inputs.begin(), node->inputs.end());
    for (size_t k = 0; k < graph.states.size(); ++k) {
      if (graph.inputs[graph.caller_inputs() + k] == id)
        left.push_back(graph.outputs[graph.caller_outputs() + k]);
    }
  }
  return seen;
}

// Both graphs have to compute these alike: their first outputs, and what attributes are afterwards.
std::vector<ir::ValueId> ResultsOf(const ir::Graph& graph, size_t outputs, const Starts& starts,
                                   const ChangedAttributes& changed) {
  std::vector<ir::ValueId> ids(graph.outputs.begin(),
                               graph.outputs.begin() + static_cast<ptrdiff_t>(outputs));
  for (const auto& [name, start] : starts) {
    const auto& after = changed.at(name).ids;
    ids.insert(ids.end(), after.begin(), after.end());
  }
  return ids;
}

bool SetFixed(bool is_fixed, AttributeStart* start) {
  bool is_new = false;
  for (StartLeaf& leaf : start->leaves) is_new |= std::exchange(leaf.is_fixed, is_fixed) != is_fixed;
  return is_new;
}

// Where states get what they are at first: the file may have it, or the first run prepares it, or has it in
// the places where later runs have the states.
enum class From { kFile, kFirstRun, kZeros, kPlaces };

// False if there is nothing of that kind.
bool Begin(From from, Starts* starts) {
  bool is_new = from != From::kFile;
  for (auto& [name, start] : *starts) {
    for (StartLeaf& leaf : start.leaves) {
      if (leaf.initial == nullptr || leaf.is_computed_always) continue;
      if (from == From::kZeros) leaf.initial = std::make_shared<const ir::Bytes>(leaf.initial->size());
      if (from != From::kFile || leaf.in_file == nullptr || *leaf.in_file == *leaf.initial) continue;
      leaf.initial = leaf.in_file;
      is_new = true;
    }
  }
  return is_new;
}

// Attributes that were taken for fixed, but that the run has changed, are not.
bool LetGoOfFixed(const ChangedAttributes& changed, Starts* starts) {
  bool is_new = false;
  for (auto& [name, start] : *starts) is_new |= changed.at(name).is_changed && SetFixed(false, &start);
  return is_new;
}

}  // namespace

Status KeptAttributes::ImportOnce(const StatePlan& plan, ChangedAttributes* changed,
                                  std::set<std::string>* integer_inputs) {
  Value root, constants;
  MICRORT_RETURN_IF_ERROR(ReadModule(archive_, &meter_, &root, &constants));
  CodeLibrary code(archive_);
  GraphAssembler assembler(out_.graphs.back().get());
  TensorTable table(archive_, &assembler);
  Evaluator evaluator(code, table, constants, &diagnostics_, &meter_);
  Ports ports(options_, code, evaluator, table);
  States states(archive_, plan, &evaluator.state());
  MICRORT_ASSIGN_OR_RETURN(std::vector<Value> arguments, ports.AddInputs(*root.object));
  assembler.StartStates();
  MICRORT_RETURN_IF_ERROR(states.Declare(root));
  assembler.StartNodes();
  const Result<Value> result = evaluator.CallMethod(root, "forward", std::move(arguments));
  *integer_inputs = table.integer_inputs;
  if (!result.ok()) return plan.starts.empty() ? result.status() : CannotRun(plan, result.status());
  MICRORT_RETURN_IF_ERROR(UnsupportedNodes(diagnostics_));
  MICRORT_RETURN_IF_ERROR(states.FindChanged(changed));
  MICRORT_RETURN_IF_ERROR(ports.AddOutputs(result.value()));
  MICRORT_RETURN_IF_ERROR(states.AddStates());
  assembler.Finish();
  return Status();
}

// TorchScript does not say what its tensors hold: floats, unless they are read as positions of elements.
Status KeptAttributes::ImportRun(const StatePlan& plan, ChangedAttributes* changed) {
  for (;;) {
    if (++imports_ > kMaxImports)
      return Unsupported("its attributes are not the same after {} runs", kMaxImports);
    out_.graphs.clear();
    out_.graphs.push_back(std::make_unique<ir::Graph>());
    diagnostics_ = ImportDiagnostics();
    changed->clear();
    std::set<std::string> integer_inputs;
    const Status status = ImportOnce(plan, changed, &integer_inputs);
    for (const InputType& given : options_.input_types) integer_inputs.erase(given.input);
    if (integer_inputs.empty()) return status;
    for (const std::string& name : integer_inputs) options_.input_types.push_back({name, DType::kInt64});
    again_ = true;
  }
}

// Tensors of the file that keep their types and shapes are states, without more ado.
Status KeptAttributes::Import() {
  StatePlan plan;
  for (;;) {
    ChangedAttributes changed;
    MICRORT_RETURN_IF_ERROR(ImportRun(plan, &changed));
    const auto is_other = [](const auto& entry) {
      return entry.second.is_seen && !entry.second.is_tensor_alike;
    };
    if (std::any_of(changed.begin(), changed.end(), is_other)) return ImportWithStarts();
    const size_t known = plan.tensors.size();
    for (const auto& [name, attribute] : changed) {
      if (attribute.is_seen) plan.tensors.insert(name);
    }
    if (plan.tensors.size() == known) return Status();
  }
}

Status KeptAttributes::ImportWithStarts() {
  do {
    again_ = false;
    StatePlan plan;
    plan.starts = computed_;
    ChangedAttributes first;
    MICRORT_RETURN_IF_ERROR(ImportRun(plan, &first));
    again_ = false;
    Starts later = computed_;
    MICRORT_RETURN_IF_ERROR(StartsAfter(first, &later));
    if (!again_ && later.size() > computed_.size()) MICRORT_RETURN_IF_ERROR(ImportLater(first, &later));
  } while (again_ || LeaveOutUseless());
  return Status();
}

Status KeptAttributes::MakeComputed(const std::string& name, const Value& before, const char* why) {
  if (!before.is_scalar() || before.is_computed()) return Refused(name, why);
  computed_[name] = ComputedAlways(before);
  again_ = true;
  return Status();
}

// Fills in how the second run begins.
Status KeptAttributes::StartsAfter(const ChangedAttributes& first, Starts* later) {
  for (const auto& [name, attribute] : first) {
    const bool is_seen = attribute.is_seen || seen_later_.count(name) != 0;
    if (left_out_.count(name) != 0 || !is_seen) continue;
    if (!attribute.described.ok()) return Refused(name, attribute.described.message());
    if (computed_.count(name) != 0) {
      if (AreAlike(attribute.after, computed_.at(name))) continue;
      // A run may set it to a number that is known.
      const bool is_number =
          attribute.after.is_number() && attribute.after.form.kind == computed_.at(name).form.kind;
      if (!is_number) return Refused(name, "a run changes its type");
      continue;
    }
    const bool is_computed_number = attribute.after.is_number() && !attribute.after.leaves[0].is_known;
    if (is_computed_number) {
      MICRORT_RETURN_IF_ERROR(MakeComputed(name, attribute.before, "a run changes its type"));
    } else {
      (*later)[name] = attribute.after;
    }
  }
  return Status();
}

// A later run finds what the one before it has found.
Status KeptAttributes::CheckSteady(const ChangedAttributes& first, const Starts& later,
                                   const ChangedAttributes& second) {
  for (const auto& [name, attribute] : second) {
    if (left_out_.count(name) != 0 || computed_.count(name) != 0) continue;
    const auto start = later.find(name);
    if (start == later.end()) {
      if (attribute.is_seen) MICRORT_RETURN_IF_ERROR(AddLater(first, name, attribute.before));
      continue;
    }
    if (!attribute.described.ok()) return Refused(name, attribute.described.message());
    if (AreAlike(start->second, attribute.after)) continue;
    const bool is_number = attribute.after.is_number() && start->second.is_number();
    if (!is_number) return Refused(name, "a run changes its type or shape");
    MICRORT_RETURN_IF_ERROR(MakeComputed(name, first.at(name).before, "a run changes it"));
  }
  return Status();
}

// An attribute of which the first run has not seen what it was.
Status KeptAttributes::AddLater(const ChangedAttributes& first, const std::string& name,
                                const Value& before) {
  if (first.count(name) == 0) return MakeComputed(name, before, "only runs after the first one change it");
  seen_later_.insert(name);
  again_ = true;
  return Status();
}

Status KeptAttributes::ImportLater(const ChangedAttributes& first, Starts* later) {
  bool are_proven = false;
  MICRORT_RETURN_IF_ERROR(FindInitial(first, later, &are_proven));
  if (again_) return Status();
  if (!are_proven) return ComputeNumbers(first, *later);
  for (bool is_done = false; !is_done;) {
    StatePlan plan;
    plan.starts = *later;
    ChangedAttributes second;
    MICRORT_RETURN_IF_ERROR(ImportRunAfter(first, plan, &second));
    MICRORT_RETURN_IF_ERROR(again_ ? Status() : CheckSteady(first, *later, second));
    is_done = again_ || !LetGoOfFixed(second, later);
  }
  return Status();
}

// Numbers that the first run sets decide branches in each run, if they can. It is refused if there are none.
Status KeptAttributes::ComputeNumbers(const ChangedAttributes& first, const Starts& later) {
  std::string name;
  for (const auto& [attribute, start] : later) {
    if (computed_.count(attribute) != 0) continue;
    const Value& before = first.at(attribute).before;
    if (name.empty()) name = attribute;
    const bool is_number = start.is_number() && before.Is(start.form.kind);
    if (is_number) MICRORT_RETURN_IF_ERROR(MakeComputed(attribute, before, ""));
  }
  return again_ ? Status() : Refused(name, "the first run computes otherwise than later ones");
}

// A run after the first one. It may not be possible because that has set more than what it reads at once:
// then this is known, too.
Status KeptAttributes::ImportRunAfter(const ChangedAttributes& first, const StatePlan& plan,
                                      ChangedAttributes* second) {
  const Status status = ImportRun(plan, second);
  if (status.ok() || status.code() != StatusCode::kUnsupported) return status;
  for (const auto& [name, attribute] : first) {
    if (plan.starts.count(name) != 0 || left_out_.count(name) != 0 || !attribute.described.ok()) continue;
    again_ |= seen_later_.insert(name).second;
  }
  return again_ ? Status() : status;
}

// Looks for constants of the first run, whose graph this is, that are where a later one has states.
Status KeptAttributes::TakeInitialFrom(const ir::Graph& graph, const ChangedAttributes& first,
                                       Starts* later) {
  StatePlan plan;
  plan.starts = *later;
  ChangedAttributes second;
  MICRORT_RETURN_IF_ERROR(ImportRunAfter(first, plan, &second));
  MICRORT_RETURN_IF_ERROR(again_ ? Status() : CheckSteady(first, *later, second));
  if (again_) return Status();
  const ir::Graph& next = *out_.graphs.back();
  const auto constants =
      ir::ConstantsForInputs(graph, ResultsOf(graph, graph.caller_outputs(), *later, first), next,
                             ResultsOf(next, next.caller_outputs(), *later, second));
  for (auto& [name, start] : *later) {
    for (size_t i = 0; i < start.leaves.size(); ++i) {
      const auto constant = constants.find(next.FindValue(StateName(name, start, i)));
      if (constant != constants.end() && start.leaves[i].initial != nullptr)
        start.leaves[i].initial = constant->second;
    }
  }
  return Status();
}

// Looks for tensors from which a later run computes what the first one does.
Status KeptAttributes::FindInitial(const ChangedAttributes& first, Starts* later, bool* are_proven) {
  const std::unique_ptr<ir::Graph> graph = std::move(out_.graphs.back());
  const Starts found = *later;
  for (const From from : {From::kFile, From::kFirstRun, From::kZeros, From::kPlaces}) {
    *later = found;
    if (!Begin(from, later)) continue;
    if (from == From::kPlaces) MICRORT_RETURN_IF_ERROR(TakeInitialFrom(*graph, first, later));
    if (again_) return Status();
    StatePlan plan;
    plan.starts = *later;
    plan.as_constants = true;
    ChangedAttributes second;
    MICRORT_RETURN_IF_ERROR(ImportRunAfter(first, plan, &second));
    MICRORT_RETURN_IF_ERROR(again_ ? Status() : CheckSteady(first, *later, second));
    if (again_) return Status();
    const ir::Graph& other = *out_.graphs.back();
    *are_proven = ir::HaveSameResults(*graph, ResultsOf(*graph, graph->outputs.size(), *later, first), other,
                                      ResultsOf(other, other.outputs.size(), *later, second));
    if (!*are_proven) continue;
    for (auto& [name, start] : *later) SetFixed(!second.at(name).is_changed, &start);
    return Status();
  }
  return Status();
}

// Numbers that decide nothing, as counters of runs are, stay what they are in the file.
bool KeptAttributes::LeaveOutUseless() {
  const ir::Graph& graph = *out_.graphs.back();
  const std::set<ir::ValueId> needed = NeededInputs(graph);
  const size_t known = left_out_.size();
  for (auto start = computed_.begin(); start != computed_.end();) {
    const ir::ValueId id = graph.FindValue(start->first);
    const bool is_input = std::find(graph.inputs.begin(), graph.inputs.end(), id) != graph.inputs.end();
    if (!is_input || needed.count(id) != 0) {
      ++start;
      continue;
    }
    left_out_.insert(start->first);
    start = computed_.erase(start);
  }
  return left_out_.size() > known;
}

}  // namespace micrort::frontend::torchscript
