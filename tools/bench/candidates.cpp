#include "tools/bench/candidates.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "tools/bench/begin_run.h"
#include "tools/bench/profiler.h"
#include "tools/io/session.h"

namespace micrort {
namespace {

constexpr int kRounds = 5, kRunsARound = 3;

// What is known of an algorithm for a layer, by both.
using Infos = std::map<std::pair<uint64_t, std::string>, AlgorithmInfo>;

// Takes for every layer the algorithm of one rank, by estimate, or the last one, and notes what there is.
class RankChooser final : public AlgorithmChooser {
 public:
  RankChooser(size_t rank, Infos* infos, size_t* ranks) : rank_(rank), infos_(infos), ranks_(ranks) {}
  Status Choose(const LayerAlgorithms& layer, size_t* choice) const override {
    std::vector<size_t> order;
    for (const AlgorithmInfo& info : layer.algorithms) {
      (*infos_)[{layer.layer, info.name}] = info;
      order.push_back(order.size());
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return layer.algorithms[a].cost < layer.algorithms[b].cost; });
    *ranks_ = std::max(*ranks_, order.size());
    *choice = order[std::min(rank_, order.size() - 1)];
    return Status();
  }

 private:
  const size_t rank_;
  Infos* const infos_;
  size_t* const ranks_;
};

// An interpreter at a time, so that memory is what one takes; packed weights stay with the model.
Status RunRound(const Model& model, InterpreterOptions options, const std::vector<io::NamedArray>& inputs,
                const RankChooser& chooser, Profiler* profiler) {
  options.chooser = &chooser;
  options.observer = profiler;
  options.whole_tensors = true;  // layers are compared one by one
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, io::CreateFor(model, inputs, options));
  for (int run = 0; run <= kRunsARound; ++run) {
    BeginBenchRun(inputs, &interpreter);
    profiler->BeginRun();
    MICRORT_RETURN_IF_ERROR(interpreter.Run());
    if (run == 0) profiler->ForgetRun();  // it warms up
  }
  return Status();
}

// `row` is the operator's in each of `measured`.
void FillCandidates(const Infos& infos, const std::vector<std::vector<OpRow>>& measured, size_t op,
                    OpRow* row) {
  double cheapest = 0;
  for (const std::vector<OpRow>& rows : measured) {
    const std::string& name = rows[op].algorithm;
    const auto info = infos.find({row->layer, name});
    const bool is_known = std::any_of(row->candidates.begin(), row->candidates.end(),
                                      [&](const CandidateRow& c) { return c.algorithm == name; });
    if (info == infos.end() || is_known) continue;
    if (row->candidates.empty()) cheapest = info->second.cost;
    const double estimate = cheapest > 0 ? info->second.cost / cheapest : 1;
    row->candidates.push_back(
        {name, rows[op].ms, estimate, info->second.scratch_bytes, info->second.packed_bytes});
  }
  if (row->candidates.size() == 1) row->candidates.clear();
}

}  // namespace

Status MeasureCandidates(const Model& model, const InterpreterOptions& options,
                         const std::vector<io::NamedArray>& inputs, std::vector<OpRow>* ops) {
  Infos infos;
  size_t ranks = 1;
  std::vector<std::unique_ptr<Profiler>> profilers;
  for (int round = 0; round < kRounds; ++round) {
    for (size_t rank = 0; rank < ranks; ++rank) {
      if (rank == profilers.size()) profilers.push_back(std::make_unique<Profiler>());
      const RankChooser chooser(rank, &infos, &ranks);
      MICRORT_RETURN_IF_ERROR(RunRound(model, options, inputs, chooser, profilers[rank].get()));
    }
  }
  std::vector<std::vector<OpRow>> measured;
  for (const auto& profiler : profilers) measured.push_back(profiler->Rows());
  for (size_t op = 0; op < ops->size(); ++op) FillCandidates(infos, measured, op, &(*ops)[op]);
  return Status();
}

}  // namespace micrort
