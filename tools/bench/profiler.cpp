#include "tools/bench/profiler.h"

namespace micrort {
namespace {

double Milliseconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

}  // namespace

void Profiler::BeginRun() {
  next_ = 0;
  run_start_ = Clock::now();
}

void Profiler::ForgetRun() {
  for (Times& times : ops_) times.ms.pop_back();
}

void Profiler::BeforeOp(const OpInfo& op) {
  if (next_ == ops_.size()) {
    Times times;
    for (const OpSource& source : op.sources) {
      const char* plus = times.row.type.empty() ? "" : "+";
      times.row.type += plus + std::string(source.type);
      times.row.node += plus + std::string(source.node);
    }
    times.row.algorithm = op.algorithm;
    times.row.layer = op.layer;
    times.row.multiply_adds = op.multiply_adds;
    if (!op.outputs.empty()) times.row.output_shape = ShapeString(op.outputs[0].shape).c_str();
    ops_.push_back(std::move(times));
  }
  op_start_ = Clock::now();
}

void Profiler::AfterOp(const OpInfo&) {
  Times& times = ops_[next_++];
  times.ms.push_back(Milliseconds(Clock::now() - op_start_));
  times.row.start_ms = Milliseconds(op_start_ - run_start_);
}

std::vector<OpRow> Profiler::Rows() const {
  std::vector<OpRow> rows;
  double total = 0;
  for (const Times& times : ops_) {
    rows.push_back(times.row);
    rows.back().ms = Summarize(times.ms).median;
    total += rows.back().ms;
  }
  for (OpRow& row : rows) row.share = total > 0 ? row.ms / total : 0;
  return rows;
}

}  // namespace micrort
