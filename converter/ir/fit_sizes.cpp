#include "converter/ir/fit_sizes.h"

#include <algorithm>
#include <cstring>

#include "converter/ir/size/choose_sizes.h"
#include "converter/ir/size/sizes_to_try.h"

namespace micrort::ir {

namespace {

// Rounds in which bodies may say, one after another, what they require.
constexpr int kMostRounds = 4;
// Sizes of inputs that are tried for one operator.
constexpr int kMostTries = 200;

// What is known requires, of symbols of which it says nothing else.
std::vector<size::Need> NeedsOf(const size::Solver& hard, const size::Needs& needs) {
  std::vector<size::Need> all;
  for (const size::Solver::Relation& r : hard.relations())
    all.push_back({size::Need::Kind::kEqual, hard.Resolve(r.a), hard.Resolve(r.b)});
  for (int i = 0; i < needs.count(); ++i) {
    const size::Need& need = needs.at(i);
    all.push_back({need.kind, hard.Resolve(need.a), hard.Resolve(need.b)});
  }
  return all;
}

}  // namespace

// What is required, with sizes for which all that is known holds, near those of the attempt.
std::optional<size::Solver> SizeFitter::Suiting(const Knowledge& known) const {
  const auto chosen = size::ChooseSizes(NeedsOf(known.hard, known.needs), inference_.sizes_.witness());
  if (!chosen) return std::nullopt;
  size::Solver solver = known.hard;
  for (const auto& [symbol, size] : *chosen) solver.RequireEqual(size::Expr(symbol), size);
  return solver;
}

// Compares with the error of the node that was visited last.
bool SizeFitter::SaysTheSame(const Status& other, const Status& status) const {
  return inference_.failed_ == inference_.scopes_.back().visited.back() && !other.ok() &&
         std::strcmp(other.message(), status.message()) == 0;
}

bool SizeFitter::WithEachKind(const std::function<bool()>& suits) {
  size::Witness& witness = inference_.sizes_.witness();
  const Knowledge before = inference_.known_;
  const bool were_equal = witness.are_equal();
  if (suits()) return true;
  inference_.known_ = before;
  witness.MakeEqual(true);
  if (!were_equal && suits()) return true;
  witness.MakeEqual(were_equal);
  inference_.known_ = before;
  return false;
}

// The requirements, with these sizes of the open dimensions of inputs; nothing if they contradict each other.
std::optional<size::Solver> SizeFitter::WithInputsAt(const std::vector<int64_t>& sizes) const {
  size::Solver solver = inference_.known_.hard;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size::Expr dim = solver.Resolve(size::Expr(size::Symbol{static_cast<int>(i)}));
    // A dimension that follows from others keeps its expression.
    if (dim.symbol() && !solver.RequireEqual(dim, sizes[i])) return std::nullopt;
  }
  return solver;
}

// Tries sizes of inputs, small ones first, for operators whose needs contain integers that only a run
// computes. They are a witness alone: nothing that is written follows from them.
bool SizeFitter::WithSizesOfInputs(const std::function<bool()>& suits) {
  int64_t visited = 1;
  for (const auto& scope : inference_.scopes_) visited += static_cast<int64_t>(scope.visited.size());
  const Knowledge before = inference_.known_;
  size::SizesToTry sizes(inference_.sizes_.symbols().count_of_inputs());
  for (int i = 0; i < kMostTries && inference_.visits_left_ >= visited; ++i) {
    inference_.visits_left_ -= visited;
    inference_.known_ = before;
    const std::optional<size::Solver> likely = WithInputsAt(sizes.Next());
    if (!likely) continue;
    inference_.known_.likely = *likely;
    if (inference_.Repeat().ok() && suits()) return true;
  }
  inference_.known_ = before;
  return false;
}

Status SizeFitter::AskWithOthers(const Status& status, const std::function<bool()>& suits) {
  const std::vector<std::optional<int64_t>> tried = inference_.tried_;
  bool says_the_same = false;
  const auto suits_now = [&] {
    if (const std::optional<size::Solver> suiting = Suiting(inference_.known_))
      inference_.known_.likely = *suiting;
    const Status other = inference_.Repeat();
    says_the_same = says_the_same || (inference_.tried_ != tried && SaysTheSame(other, status));
    return other.ok() && suits();
  };
  if (WithEachKind(suits_now) || WithSizesOfInputs(suits)) return Status();
  tells_sizes_ = status.code() != StatusCode::kUnsupported && !says_the_same;
  return status;
}

// Among the bodies of the node, or those in them: the node that cannot run, and where it is.
std::pair<const Graph*, const Node*> SizeFitter::FailedIn(const Node& node) const {
  for (const auto& body : node.bodies) {
    const auto visit = inference_.visits_.find(body.get());
    if (visit == inference_.visits_.end() || visit->second.failed == nullptr) continue;
    const auto deeper = FailedIn(*visit->second.failed);
    return deeper.second != nullptr ? deeper : std::make_pair(visit->first, visit->second.failed);
  }
  return {nullptr, nullptr};
}

Status SizeFitter::NoSizesFor(const Node& node, const Status& status) {
  const auto [body, failed] = FailedIn(node);
  const Graph& graph = body != nullptr ? *body : *inference_.scopes_.back().graph;
  const size::Solver& known =
      body != nullptr ? inference_.visits_.at(body).known.hard : inference_.known_.hard;
  std::string shapes;
  for (const ValueId id : failed != nullptr ? failed->inputs : node.inputs) {
    if (id == kNoValue) continue;
    std::string text;
    for (const size::Expr& dim : inference_.SizesOf(graph, id).shape)
      text += (text.empty() ? "" : ", ") + known.TextOf(dim);
    shapes += (shapes.empty() ? "[" : ", [") + text + "]";
  }
  const std::string who = failed != nullptr ? Describe(*failed) + " in a body: " : "";
  return Status::Error(status.code(),
                       "%sno sizes of open dimensions were found that it runs with; shapes of its inputs are "
                       "%s: give sizes by --input-shape",
                       who.c_str(), shapes.c_str());
}

std::vector<Graph*> SizeFitter::MisfitsIn(const Node& node) const {
  std::vector<Graph*> misfits;
  for (const auto& body : node.bodies) {
    const auto fits = inference_.fits_.find(body.get());
    if (fits == inference_.fits_.end() || !fits->second) {
      misfits.push_back(body.get());
      continue;
    }
    for (const auto& inner : body->nodes) {
      for (Graph* deeper : MisfitsIn(*inner)) misfits.push_back(deeper);
    }
  }
  return misfits;
}

// What the body, or one inside of it, was found to require, as it is and with sizes that suit all of it.
// *learned: how much that is.
std::vector<size::Solver> SizeFitter::LikelyFor(const Graph& body, int* learned) const {
  std::vector<const Graph*> bodies = {&body};
  for (const auto& inner : BodiesIn(body)) bodies.push_back(inner.get());
  std::vector<size::Solver> likely;
  *learned = 0;
  for (const Graph* graph : bodies) {
    const auto visit = inference_.visits_.find(graph);
    if (visit == inference_.visits_.end()) continue;
    const Knowledge& known = visit->second.known;
    *learned += known.likely.version() + known.needs.count();
    likely.push_back(known.likely);
    if (std::optional<size::Solver> suiting = Suiting(known)) likely.push_back(*std::move(suiting));
  }
  return likely;
}

// By taking for likely what the body requires, of which a try may tell more.
bool SizeFitter::MakeFitBy(const Graph& body, const std::function<bool(const Status&)>& suits) {
  const Knowledge before = inference_.known_;
  bool has_learned = true;
  for (int round = 0; round < kMostRounds && has_learned; ++round) {
    has_learned = false;
    int known = 0, learned = 0;
    for (const size::Solver& likely : LikelyFor(body, &known)) {
      inference_.known_ = before;
      inference_.known_.likely = likely;
      if (suits(inference_.Repeat())) return true;
      LikelyFor(body, &learned);
      has_learned = learned > known;
      if (has_learned) break;
    }
  }
  inference_.known_ = before;
  return false;
}

// Where no body of an operator that needs one fits.
Status SizeFitter::MakeOneBodyFit(const Node& node, const Status& status) {
  const std::vector<std::optional<int64_t>> tried = inference_.tried_;
  bool says_the_same = false;
  const auto fits = [&] {
    const Status other = inference_.Repeat();
    says_the_same = says_the_same || (inference_.tried_ != tried && SaysTheSame(other, status));
    return other.ok() || std::any_of(node.bodies.begin(), node.bodies.end(), [&](const auto& body) {
             return MakeFitBy(*body, [](const Status& s) { return s.ok(); });
           });
  };
  if (WithEachKind(fits) || WithSizesOfInputs([] { return true; })) return Status();
  tells_sizes_ = status.code() != StatusCode::kUnsupported && !says_the_same;
  return status;
}

Status SizeFitter::MakeBodiesFit(const Node& node) {
  const auto possible_misfits = [&] {
    std::vector<Graph*> misfits = MisfitsIn(node);
    const auto is_impossible = [&](Graph* body) { return inference_.impossible_.count(body) != 0; };
    misfits.erase(std::remove_if(misfits.begin(), misfits.end(), is_impossible), misfits.end());
    return misfits;
  };
  const auto all_fit = [&] { return possible_misfits().empty(); };
  if (!inference_.sizes_.has_symbols() || all_fit()) return Status();
  std::vector<Graph*> misfits = possible_misfits();
  for (size_t i = 0; i < misfits.size();) {
    const auto fits_more = [&](const Status& s) {
      return s.ok() && possible_misfits().size() < misfits.size();
    };
    const bool made_fit = MakeFitBy(*misfits[i], fits_more);
    if (made_fit) misfits = possible_misfits();
    i = made_fit ? 0 : i + 1;
  }
  MICRORT_RETURN_IF_ERROR(inference_.Repeat());
  if (!all_fit() && !AskWithOthers(MICRORT_ERROR(kUnsupported, "a body does not fit"), all_fit).ok()) {
    MICRORT_RETURN_IF_ERROR(inference_.Repeat());
  }
  for (Graph* body : possible_misfits()) {
    VisitApart(*body);
    MICRORT_RETURN_IF_ERROR(inference_.Repeat());
  }
  return Status();
}

// Publishes a body that does not fit the sizes of the rest for others.
void SizeFitter::VisitApart(Graph& body) {
  const Knowledge before = inference_.known_;
  const bool were_equal = inference_.sizes_.witness().are_equal();
  const auto fits = [&](const Status& s) {
    const auto found = inference_.fits_.find(&body);
    return s.ok() && found != inference_.fits_.end() && found->second;
  };
  if (WithEachKind([&] { return fits(inference_.Repeat()) || MakeFitBy(body, fits); }))
    inference_.PublishBody(body);
  inference_.known_ = before;
  inference_.sizes_.witness().MakeEqual(were_equal);
}

}  // namespace micrort::ir
