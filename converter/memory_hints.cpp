#include "converter/memory_hints.h"

#include <algorithm>
#include <optional>

namespace micrort {
namespace {

struct Change {
  std::string flags;
  ConvertOptions options;
};

// Nothing but the plan is of interest, which samples and the correction of errors do not change.
ConvertOptions ForPlanAlone(ConvertOptions options) {
  options.correction = {false, false, false, false, false, nullptr};
  options.calibrates_on_noise = !options.calibration.empty();
  options.calibration.clear();
  options.max_arena.reset();
  options.cpp.reset();
  options.verify = VerifyMode::kOff;
  options.expected.clear();
  options.report = options.embed_test = options.progress = false;
  options.dump_passes.clear();
  return options;
}

std::optional<uint64_t> RamOf(const ConvertOptions& options, const Reconvert& reconvert) {
  ConvertResult result;
  if (!reconvert(options, &result).ok() || !result.summary.is_measured) return std::nullopt;
  return result.summary.ram_bytes();
}

std::string ShapeFlag(const InputShape& input) {
  std::string text = "--input-shape " + input.name + "=";
  for (size_t i = 0; i < input.dims.size(); ++i) text += (i == 0 ? "" : "x") + std::to_string(input.dims[i]);
  return text;
}

std::vector<Change> ChangesOf(const ConvertOptions& plain, const ConvertResult& failed) {
  std::vector<Change> changes;
  const auto nhwc = [](Change change) {
    change.flags += (change.flags.empty() ? "" : " ") + std::string("--io-layout nhwc");
    change.options.io_layout = IoLayout::kNhwc;
    return change;
  };
  if (plain.io_layout == IoLayout::kKeep) changes.push_back(nhwc({"", plain}));
  const bool is_int8 = plain.quant == QuantMode::kInt8 && plain.calibrates_on_noise;
  Change int8 = {"", plain};
  if (!is_int8) {
    int8 = {"--quant int8 --calib SAMPLES", plain};
    int8.options.quant = QuantMode::kInt8;
    int8.options.fp16_compute = int8.options.fp16_activations = int8.options.int8_compute = false;
    int8.options.calibrates_on_noise = true;
    changes.push_back(int8);
  }
  if (plain.io_type == qdq::IoType::kKeep) {
    Change bytes = int8;
    bytes.flags += (bytes.flags.empty() ? "" : " ") + std::string("--io-type uint8");
    bytes.options.io_type = qdq::IoType::kUInt8;
    changes.push_back(bytes);
    if (plain.io_layout == IoLayout::kKeep) changes.push_back(nhwc(bytes));
  }
  for (const InputShape& input : failed.smaller_inputs) {
    Change smaller = {ShapeFlag(input), plain};
    smaller.options.input_shapes.erase(
        std::remove_if(smaller.options.input_shapes.begin(), smaller.options.input_shapes.end(),
                       [&](const InputShape& shape) { return shape.name == input.name; }),
        smaller.options.input_shapes.end());
    smaller.options.input_shapes.push_back(input);
    changes.push_back(smaller);
  }
  return changes;
}

}  // namespace

Status WithMemoryHints(const Status& status, const ConvertOptions& options, const ConvertResult& failed,
                       const Reconvert& reconvert) {
  if (options.quant == QuantMode::kAuto) return status;  // each trial would be a search of its own
  const ConvertOptions plain = ForPlanAlone(options);
  const std::optional<uint64_t> now = RamOf(plain, reconvert);
  std::string hints;
  std::vector<uint64_t> listed;  // more flags for the same bytes help nobody
  for (const Change& change : ChangesOf(plain, failed)) {
    const std::optional<uint64_t> bytes = RamOf(change.options, reconvert);
    if (!bytes || (now && *bytes >= *now)) continue;
    if (std::find(listed.begin(), listed.end(), *bytes) != listed.end()) continue;
    listed.push_back(*bytes);
    hints += (hints.empty() ? "" : ", ") + change.flags + ": " + std::to_string(*bytes);
  }
  if (hints.empty() || !now) return status;
  return MICRORT_ERROR(kUnsupported, "%s; it takes %llu bytes without the limit, and with %s bytes",
                       status.message(), static_cast<unsigned long long>(*now), hints.c_str());
}

}  // namespace micrort
