#include "converter/observe/runnable_sample.h"

#include <algorithm>

#include "converter/observe/dynamic_sizes.h"
#include "converter/observe/runner.h"

namespace micrort::observe {
namespace {

bool IsDynamic(const io::InputSpec& input) {
  return std::any_of(input.shape.begin(), input.shape.end(), [](int64_t d) { return d < 0; });
}

std::string DynamicInputs(const std::vector<io::InputSpec>& inputs) {
  std::string text;
  for (const io::InputSpec& input : inputs) {
    if (IsDynamic(input))
      text += (text.empty() ? "'" : ", '") + input.name + "' (" + io::ShapeText(input.shape) + ")";
  }
  return text;
}

}  // namespace

Status RunnableSample(const AlignedBytes& file, const std::vector<io::InputSpec>& inputs, uint64_t seed,
                      CpuFeatures features, Sample* sample) {
  if (std::none_of(inputs.begin(), inputs.end(), IsDynamic)) return RandomSample(inputs, seed, sample);
  std::vector<Dims> shapes;
  for (const io::InputSpec& input : inputs) shapes.push_back(input.shape);
  std::vector<io::InputSpec> sized = inputs;
  const auto run = [&](const std::vector<Dims>& sizes) {
    for (size_t i = 0; i < sizes.size(); ++i) sized[i].shape = sizes[i];
    sample->clear();
    MICRORT_RETURN_IF_ERROR(RandomSample(sized, seed, sample));
    Runner runner;
    MICRORT_RETURN_IF_ERROR(runner.Load(file, features, nullptr));
    return runner.Run(*sample);
  };
  const Status status =
      TryDynamicSizes(shapes, run, [](const Status& s) { return s.code() != StatusCode::kInvalidArgument; });
  if (status.ok() || status.code() != StatusCode::kInvalidArgument) return status;
  return MICRORT_ERROR(
      kInvalidArgument,
      "--verify: inputs have dynamic dimensions, %s, and the model runs at none of the sizes "
      "that were tried; give sizes by --input-shape, or samples by --calib (%s)",
      DynamicInputs(inputs).c_str(), status.message());
}

}  // namespace micrort::observe
