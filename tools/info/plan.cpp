#include "tools/info/plan.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "kernels/base/checked_math.h"
#include "tools/io/printable.h"

namespace micrort {
namespace {

class PlanObserver final : public OpObserver {
 public:
  explicit PlanObserver(PlanReport* report) : report_(report) {}
  void SetArena(const uint8_t* arena, size_t bytes) {
    arena_ = arena;
    bytes_ = bytes;
  }

  void AfterOp(const OpInfo& op) override {
    for (const TensorView& output : op.outputs) {
      const auto* data = static_cast<const uint8_t*>(output.data);
      if (data < arena_ || data >= arena_ + bytes_) continue;
      const size_t offset = static_cast<size_t>(data - arena_);
      report_->rows.push_back(
          {op.type, output.name, ShapeString(output.shape).c_str(), offset, output.bytes()});
    }
  }

 private:
  const uint8_t* arena_ = nullptr;
  size_t bytes_ = 0;
  PlanReport* report_;
};

}  // namespace

Status DescribePlan(const Model& model, CpuFeatures features, const ModelLimits& limits, PlanReport* report) {
  InterpreterOptions options;
  options.features = features;
  options.limits = limits;
  MICRORT_ASSIGN_OR_RETURN(report->unobserved_bytes, Interpreter::RequiredArenaBytes(model, options));
  PlanObserver observer(report);
  options.observer = &observer;
  MICRORT_ASSIGN_OR_RETURN(const size_t bytes, Interpreter::RequiredArenaBytes(model, options));
  const size_t allocated = AlignUp(bytes == 0 ? 1 : bytes, kAlignment);
  std::unique_ptr<uint8_t, void (*)(void*)> arena(
      static_cast<uint8_t*>(std::aligned_alloc(kAlignment, allocated)), std::free);
  if (arena == nullptr) return MICRORT_ERROR(kOutOfMemory, "cannot allocate an arena of %zu bytes", bytes);
  observer.SetArena(arena.get(), bytes);
  options.arena = arena.get();
  options.arena_bytes = bytes;
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(model, options));
  for (size_t i = 0; i < interpreter.input_count(); ++i) {
    if (model.decides_shapes(i)) continue;
    std::memset(interpreter.input(i).data, 0, interpreter.input(i).bytes());
  }
  MICRORT_RETURN_IF_ERROR(interpreter.Run());
  report->arena_bytes = interpreter.arena_bytes();
  report->lower_bound = interpreter.arena_lower_bound();
  report->scratch_bytes = interpreter.scratch_bytes();
  return Status();
}

nlohmann::ordered_json PlanToJson(const PlanReport& report) {
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  for (const PlanRow& row : report.rows) {
    tensors.push_back({{"op", row.op},
                       {"name", row.output},
                       {"shape", row.shape},
                       {"offset", row.offset},
                       {"bytes", row.bytes}});
  }
  return {{"arena_bytes", report.arena_bytes},     {"unobserved_bytes", report.unobserved_bytes},
          {"lower_bound", report.lower_bound},     {"ratio", report.ratio()},
          {"scratch_bytes", report.scratch_bytes}, {"tensors", tensors}};
}

void PrintPlan(const PlanReport& report) {
  std::printf("arena     %zu bytes, lower bound %zu, ratio %.3f; of these %zu only for scratch\n",
              report.arena_bytes, report.lower_bound, report.ratio(), report.scratch_bytes);
  if (report.unobserved_bytes != report.arena_bytes) {
    std::printf("in bands  %zu bytes are all that runs need in which nobody observes tensors as here\n",
                report.unobserved_bytes);
  }
  std::printf("%10s %10s  %-18s %-16s %s\n", "offset", "bytes", "shape", "operator", "tensor");
  for (const PlanRow& row : report.rows) {
    std::printf("%10zu %10zu  %-18s %-16s %s\n", row.offset, row.bytes, row.shape.c_str(), row.op.c_str(),
                io::Printable(row.output).c_str());
  }
}

}  // namespace micrort
