#include "tools/bench/profiler.h"

#include <algorithm>
#include <string>

namespace micrort {
namespace {

double Milliseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

// The least of several, which nothing has interrupted.
Profiler::Clock::duration CostOf(Profiler::Now now) {
  auto least = Profiler::Clock::duration::max();
  for (int i = 0; i < 100; ++i) {
    const auto start = now();
    least = std::min(least, now() - start);
  }
  return least;
}

OpRow RowOf(const OpInfo& op) {
  OpRow row;
  for (const OpSource& source : op.sources) {
    const char* plus = row.type.empty() ? "" : "+";
    row.type += plus + std::string(source.type);
    row.node += plus + std::string(source.node);
  }
  row.algorithm = op.algorithm;
  row.layer = op.layer;
  row.multiply_adds = op.multiply_adds;
  if (!op.outputs.empty()) row.output_shape = ShapeString(op.outputs[0].shape).c_str();
  return row;
}

}  // namespace

Profiler::Profiler(Now now) : now_(now), clock_cost_(CostOf(now)) {}

void Profiler::BeginRun() {
  next_ = 0;
  run_start_ = now_();
}

void Profiler::ForgetRun() {
  for (Times& times : ops_) times.ms.pop_back();
}

void Profiler::BeforeOp(const OpInfo&) { op_start_ = now_(); }

void Profiler::AfterOp(const OpInfo& op) {
  const Clock::duration taken = now_() - op_start_ - clock_cost_;
  if (next_ == ops_.size()) ops_.push_back({RowOf(op), {}});
  Times& times = ops_[next_++];
  times.ms.push_back(std::max(0.0, Milliseconds(taken)));
  times.row.start_ms = Milliseconds(op_start_ - run_start_);
}

std::vector<OpRow> Profiler::Rows() const {
  std::vector<OpRow> rows;
  for (const Times& times : ops_) {
    rows.push_back(times.row);
    rows.back().ms = Summarize(times.ms).median;
  }
  AddTimeBetween(0, &rows);
  return rows;
}

double SumOf(const std::vector<OpRow>& rows) {
  double total = 0;
  for (const OpRow& row : rows) total += row.ms;
  return total;
}

void AddTimeBetween(double run_ms, std::vector<OpRow>* rows) {
  double total = SumOf(*rows);
  const double each = std::max(0.0, run_ms - total) / static_cast<double>(rows->size());
  total = std::max(total, run_ms);
  for (OpRow& row : *rows) {
    row.ms += each;
    row.share = total > 0 ? row.ms / total : 0;
  }
}

}  // namespace micrort
