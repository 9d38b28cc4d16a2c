#include "converter/observe/runnable_sample.h"

#include <algorithm>

#include "converter/observe/runner.h"

namespace micrort::observe {
namespace {

// Of pictures, windows of sound and sequences. Multiples of 32 suit networks that halve sizes several times.
constexpr int64_t kSizes[] = {1,   2,   4,   8,   16,  32,  64,   128,  224,
                              256, 320, 416, 512, 576, 640, 1024, 4096, 16000};

bool IsDynamic(const io::InputSpec& input) {
  return std::any_of(input.shape.begin(), input.shape.end(), [](int64_t d) { return d < 0; });
}

// The first dimension is mostly the batch.
std::vector<io::InputSpec> WithSizes(std::vector<io::InputSpec> inputs, int64_t first, int64_t others) {
  for (io::InputSpec& input : inputs) {
    for (size_t i = 0; i < input.shape.size(); ++i) {
      if (input.shape[i] < 0) input.shape[i] = i == 0 ? first : others;
    }
  }
  return inputs;
}

// Too large to be what is meant: a picture of 4096 x 4096 in colour is not.
bool IsLarge(const io::InputSpec& input) {
  constexpr double kMostElements = 1 << 26;
  double elements = 1.0;
  for (const int64_t d : input.shape) elements *= static_cast<double>(d);
  return elements > kMostElements;
}

class Search {
 public:
  Search(const AlignedBytes& file, uint64_t seed, CpuFeatures features)
      : file_(file), seed_(seed), features_(features) {}

  // Whether the model runs; why not is kept.
  bool Try(const std::vector<io::InputSpec>& inputs, Sample* sample) {
    sample->clear();
    last_ = RandomSample(inputs, seed_, sample);
    Runner runner;
    if (last_.ok()) last_ = runner.Load(file_, features_, nullptr);
    if (last_.ok()) last_ = runner.Run(*sample);
    return last_.ok();
  }

  const Status& last() const { return last_; }

 private:
  const AlignedBytes& file_;
  const uint64_t seed_;
  const CpuFeatures features_;
  Status last_;
};

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
  Search search(file, seed, features);
  for (const bool first_is_one : {true, false}) {
    for (const int64_t size : kSizes) {
      const std::vector<io::InputSpec> sized = WithSizes(inputs, first_is_one ? 1 : size, size);
      if (std::any_of(sized.begin(), sized.end(), IsLarge)) break;
      if (search.Try(sized, sample)) return Status();
      // What other sizes do not mend.
      if (search.last().code() != StatusCode::kInvalidArgument) return search.last();
    }
  }
  return MICRORT_ERROR(
      kInvalidArgument,
      "--verify: inputs have dynamic dimensions, %s, and the model runs at none of the sizes "
      "that were tried; give sizes by --input-shape, or samples by --calib (%s)",
      DynamicInputs(inputs).c_str(), search.last().message());
}

}  // namespace micrort::observe
