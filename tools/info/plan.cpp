#include "tools/info/plan.h"

#include <cstdio>

#include "kernels/base/target.h"
#include "runtime/interpreter/inspect.h"
#include "tools/io/printable.h"

namespace micrort {

PlanReport DescribePlan(const Interpreter& interpreter) {
  PlanReport report;
  const Subgraph& entry = EntryOf(interpreter);
  const Program& program = entry.program();
  // States lie before all that is planned.
  const size_t base = interpreter.arena_bytes() - entry.memory().layout.arena_bytes;
  for (const Step& step : program.steps) {
    for (const int32_t output : step.outputs) {
      if (step.removed || !program.buffer_of(output).in_arena) continue;
      const View& view = program.view(output);
      const Tensor& tensor = entry.graph().tensors[static_cast<size_t>(output)];
      const size_t offset = base + entry.memory().offsets[static_cast<size_t>(view.buffer)] + view.offset;
      report.rows.push_back(
          {step.type, tensor.name, ShapeString(view.shape).c_str(), offset, tensor.bytes()});
    }
  }
  report.device = TargetName(interpreter.features());
  report.arena_bytes = interpreter.arena_bytes();
  report.lower_bound = interpreter.arena_lower_bound();
  report.scratch_bytes = interpreter.scratch_bytes();
  return report;
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
  return {
      {"device", report.device}, {"arena_bytes", report.arena_bytes},     {"lower_bound", report.lower_bound},
      {"ratio", report.ratio()}, {"scratch_bytes", report.scratch_bytes}, {"tensors", tensors}};
}

void PrintPlan(const PlanReport& report, std::FILE* out) {
  std::fprintf(
      out,
      "arena     %zu bytes on %s, one thread; lower bound %zu, ratio %.3f; of these %zu only for scratch\n",
      report.arena_bytes, report.device.c_str(), report.lower_bound, report.ratio(), report.scratch_bytes);
  std::fprintf(out, "%10s %10s  %-18s %-16s %s\n", "offset", "bytes", "shape", "operator", "tensor");
  for (const PlanRow& row : report.rows) {
    std::fprintf(out, "%10zu %10zu  %-18s %-16s %s\n", row.offset, row.bytes, row.shape.c_str(),
                 row.op.c_str(), io::Printable(row.output).c_str());
  }
}

}  // namespace micrort
