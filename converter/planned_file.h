#pragma once
// The step of a conversion that makes the file of the graph, with plans and programs for the devices that it
// is for, and keeps it within --max-arena.

#include <cstdint>
#include <optional>
#include <string>

#include "converter/convert.h"
#include "converter/ir/graph.h"
#include "converter/model_samples.h"
#include "converter/report/summary.h"

namespace micrort {

// Plans, judgements and reports are for the target. Without one they are for this machine.
CpuFeatures PlannedFeatures(const ConvertOptions& options);
report::Device PlannedDevice(const ConvertOptions& options);

class PlannedFile {
 public:
  PlannedFile(const ConvertOptions& options, const ModelSamples& samples, ir::Module& module,
              ConvertResult* result)
      : options_(options), samples_(samples), module_(module), result_(*result) {}

  // Fills result->file and result->summary. kUnsupported, and result->exceeds_max_arena, where memory exceeds
  // the limit.
  Status EmitWithinLimit();

 private:
  Status EmitPlanned(std::optional<uint64_t> most_arena);
  Status StatePrograms(const AlignedBytes& file, schema::ModelT* model);
  Status EmbedTest(const AlignedBytes& file, schema::ModelT* model);
  Status Measure();
  Status FitMemory(uint64_t most);
  Status MeasureLoaded(report::Summary* summary);
  Status TooLarge(const report::Summary& loaded, uint64_t most) const;

  const ConvertOptions& options_;
  const ModelSamples& samples_;
  ir::Module& module_;
  ConvertResult& result_;
  std::string given_up_;  // what the limit of the arena costs, of the last plan
};

}  // namespace micrort
