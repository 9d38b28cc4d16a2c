#include "converter/planned_file.h"

#include <algorithm>
#include <cstdio>

#include "converter/emit/build_model.h"
#include "converter/emit/file_bytes.h"
#include "converter/emit/serialize.h"
#include "converter/observe/record_test.h"
#include "converter/observe/reorder.h"
#include "converter/plan/plan_file.h"
#include "converter/plan/state_program.h"
#include "kernels/base/target.h"

namespace micrort {
namespace {

// Returns the note on layers that take slower algorithms for a smaller arena.
std::string NoteOf(const plan::PlanReport& report) {
  char note[160];
  std::snprintf(
      note, sizeof note,
      "--max-arena: %zu layers take algorithms with less scratch; all layers together are estimated "
      "%.1f %% slower",
      report.given_up, 100 * report.loss);
  return note;
}

}  // namespace

CpuFeatures PlannedFeatures(const ConvertOptions& options) {
  return options.target.is_portable() ? AvailableFeatures(options.features) : options.target.features;
}

report::Device PlannedDevice(const ConvertOptions& options) {
  const target::Target& target = options.target;
  const CpuFeatures features = PlannedFeatures(options);
  return {target.is_portable() ? TargetName(features) : target.name, features, target.threads};
}

Status PlannedFile::EmitWithinLimit() {
  Status status = EmitPlanned(options_.max_arena);
  if (status.ok()) status = Measure();
  if (status.ok() && options_.max_arena) status = FitMemory(*options_.max_arena);
  if (!given_up_.empty()) result_.notes.push_back(given_up_);
  result_.exceeds_max_arena = options_.max_arena && status.code() == StatusCode::kUnsupported;
  const bool may_be_fixed = options_.max_arena && result_.summary.is_dynamic;
  if (may_be_fixed && status.ok()) {
    result_.notes.push_back("--max-arena holds for dynamic dimensions of 1; --input-shape fixes them");
  } else if (may_be_fixed && status.code() == StatusCode::kUnsupported) {
    return MICRORT_ERROR(kUnsupported, "%s; inputs have dynamic dimensions, which --input-shape fixes",
                         status.message());
  }
  return status;
}

Status PlannedFile::EmitPlanned(std::optional<uint64_t> most_arena) {
  emit::FileModel model;
  MICRORT_RETURN_IF_ERROR(emit::BuildModel(module_, &model));
  {
    AlignedBytes file;
    MICRORT_RETURN_IF_ERROR(emit::Serialize(model, &file));
    // A file that no device would load needs no plan.
    MICRORT_RETURN_IF_ERROR(emit::LoadEmitted(file).status());
    plan::PlanReport report;
    MICRORT_RETURN_IF_ERROR(plan::PlanModel(
        file, {PlannedFeatures(options_), options_.target.threads, most_arena}, &model, &report));
    given_up_ = report.given_up != 0 ? NoteOf(report) : "";
    // Programs keep to the limits of scratch.
    if (most_arena) MICRORT_RETURN_IF_ERROR(emit::Serialize(model, &file));
    MICRORT_RETURN_IF_ERROR(StatePrograms(file, &model));
    if (options_.embed_test) MICRORT_RETURN_IF_ERROR(EmbedTest(file, &model));
  }
  return emit::Serialize(model, &result_.file);
}

Status PlannedFile::StatePrograms(const AlignedBytes& file, schema::ModelT* model) {
  plan::RegionPlan* const regions = &result_.summary.regions;
  regions->regions = options_.memory_regions;
  MICRORT_RETURN_IF_ERROR(plan::StateProgram(
      file, PlannedDevice(options_).name, {PlannedDevice(options_).features, PlannedDevice(options_).threads},
      model, regions));
  for (const target::Target& other : options_.other_targets) {
    MICRORT_RETURN_IF_ERROR(plan::StateProgram(file, other.name, {other.features, other.threads}, model));
  }
  return Status();
}

// Floats are added up in another order elsewhere, and where they become int8 a sum may round to the next
// one.
Status PlannedFile::EmbedTest(const AlignedBytes& file, schema::ModelT* model) {
  constexpr double kFloatSnr = 60, kInt8Snr = 25;
  const bool has_int8 = options_.quant != QuantMode::kNone && options_.quant != QuantMode::kFp16;
  io::SelfTest test;
  test.min_snr_db = has_int8 || result_.summary.given_int8 > 0 ? kInt8Snr : kFloatSnr;
  MICRORT_RETURN_IF_ERROR(observe::RecordTest(file, observe::ToGraphOrder(samples_.all(), module_.entry()),
                                              options_.features, &test));
  io::StoreSelfTest(test, model);
  return Status();
}

Status PlannedFile::Measure() {
  report::Summary* summary = &result_.summary;
  summary->quant = options_.quant;
  const observe::Sample sample = samples_.First(module_.entry());
  MICRORT_RETURN_IF_ERROR(report::MeasureFile(result_.file, PlannedDevice(options_),
                                              samples_.empty() ? nullptr : &sample, summary));
  if (options_.max_arena && !summary->is_measured) {
    return MICRORT_ERROR(kUnsupported,
                         "--max-arena: the arena depends on the values of inputs; give some by --calib");
  }
  return Status();
}

// Memory beside the arena leaves less for it, and depends on the algorithms that fit into the arena.
Status PlannedFile::FitMemory(uint64_t most) {
  constexpr int kTries = 4;
  uint64_t most_arena = most;
  for (int i = 0;; ++i) {
    report::Summary loaded = result_.summary;
    MICRORT_RETURN_IF_ERROR(MeasureLoaded(&loaded));
    if (loaded.ram_bytes() <= most) return Status();
    const uint64_t others = loaded.ram_bytes() - loaded.arena_bytes;
    const uint64_t left = most - std::min(others, most);
    if (i == kTries || left == 0 || left >= most_arena) return TooLarge(loaded, most);
    most_arena = left;
    const Status status = EmitPlanned(most_arena);
    if (status.code() == StatusCode::kUnsupported) return TooLarge(loaded, most);
    MICRORT_RETURN_IF_ERROR(status);
    MICRORT_RETURN_IF_ERROR(Measure());
  }
}

// Measures the memory that a device uses once it has loaded the file.
Status PlannedFile::MeasureLoaded(report::Summary* summary) {
  if (options_.cpp) summary->packed_in_ram_bytes = 0;  // constants of the program
  if (options_.cpp || options_.target.is_portable()) return Status();
  AlignedBytes file = result_.file;
  target::PackedReport packed;
  MICRORT_RETURN_IF_ERROR(target::PackWeights(options_.target, &file, &packed));
  const observe::Sample sample = samples_.First(module_.entry());
  return report::MeasurePacked(file, PlannedDevice(options_), &sample, summary);
}

Status PlannedFile::TooLarge(const report::Summary& loaded, uint64_t most) const {
  const uint64_t others = loaded.ram_bytes() - loaded.arena_bytes - loaded.packed_in_ram_bytes;
  char interpreter[64] = "";
  if (others != 0) {
    std::snprintf(interpreter, sizeof interpreter, ", interpreter and model %llu",
                  static_cast<unsigned long long>(others));
  }
  return MICRORT_ERROR(
      kUnsupported,
      "--max-arena %llu: the model needs %llu bytes of memory on %s: arena %llu (lower bound %llu), "
      "weights "
      "packed at loading %llu%s%s",
      static_cast<unsigned long long>(most), static_cast<unsigned long long>(loaded.ram_bytes()),
      loaded.device.c_str(), static_cast<unsigned long long>(loaded.arena_bytes),
      static_cast<unsigned long long>(loaded.arena_lower_bound),
      static_cast<unsigned long long>(loaded.packed_in_ram_bytes), interpreter,
      loaded.packed_in_ram_bytes != 0 && options_.target.is_portable() ? "; --target packs them in the file"
                                                                       : "");
}

}  // namespace micrort
