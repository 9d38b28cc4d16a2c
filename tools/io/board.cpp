#include "tools/io/board.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "kernels/base/target.h"
#include "runtime/model/schema_text.h"
#include "runtime/ops/work_control.h"
#include "schema/micrort_generated.h"
#include "tools/io/board_cycles.h"
#include "tools/io/byte_count.h"
#include "tools/io/device_memory.h"

namespace micrort::io {
namespace {

// Empty if there is none.
std::string MicrocontrollerOf(const schema::Subgraph& graph, CpuFeatures* features) {
  for (uint32_t i = 0; i < Count(graph.programs()); ++i) {
    const char* const name = Text(graph.programs()->Get(i)->target());
    if (ParseTarget(name, features) && (*features & kCpuMicrocontroller) != 0) return name;
  }
  return "";
}

}  // namespace

Status DescribeBoard(const Model& model, const ModelLimits& limits, Board* out) {
  *out = {};
  const schema::Model& file = *schema::GetModel(model.file().data());
  const schema::Subgraph& graph = *file.subgraphs()->Get(0);
  CpuFeatures features = 0;
  out->target = MicrocontrollerOf(graph, &features);
  if (out->is_empty()) return Status();
  out->file_bytes = model.file_bytes();
  out->multiply_adds = LayerWorkOf(graph).multiply_adds();
  out->cycles = EstimatedCycles(graph, out->target);
  WorkControl control;
  control.SetLimits(limits);
  control.BeginPlanning();
  PrepareTarget target;
  target.features = features;
  target.control = &control;
  DeviceMemory memory;
  const Status status = MeasureDeviceMemory(file, AllOps(), target, &memory);
  if (status.code() == StatusCode::kOutOfMemory) return status;
  if (!status.ok()) {
    out->refusal = status.message();
    return Status();
  }
  out->arena_bytes = memory.arena_bytes;
  out->ram_bytes = memory.block_bytes;
  return Status();
}

std::string MemoryText(const Board& board) {
  if (!board.refusal.empty()) return "its library refuses the file: " + board.refusal;
  return Grouped(board.ram_bytes) + " bytes of RAM (arena " + Grouped(board.arena_bytes) + "), file " +
         Grouped(board.file_bytes) + " bytes";
}

std::string CyclesText(const Board& board) {
  if (!HasCycleModel(board.target))
    return "no estimate for " + board.target + ", only for cortex-m4 and cortex-m33";
  if (board.cycles <= 0) return "no estimate: not all layers are int8";
  char text[160];
  std::snprintf(text, sizeof text, "about %.3g million a run on %s, estimated (docs/microcontrollers.md)",
                board.cycles / 1e6, board.target.c_str());
  return text;
}

std::string ElsewhereText(const Board& board, const std::string& isa) {
  return "the file is for " + board.target + "; this CPU ran its portable weights with " + isa +
         " kernels: int8 layers give the same bytes on both, times are those of this CPU";
}

nlohmann::ordered_json BoardJson(const Board& board) {
  nlohmann::ordered_json json = {{"target", board.target}, {"multiply_adds", board.multiply_adds}};
  if (board.refusal.empty()) {
    json["ram_bytes"] = board.ram_bytes;
    json["arena_bytes"] = board.arena_bytes;
  } else {
    json["refusal"] = board.refusal;
  }
  if (board.cycles > 0) json["estimated_cycles"] = board.cycles;
  return json;
}

}  // namespace micrort::io
