#pragma once
// The algorithms that `micrort-bench --tune` found fastest on a device. docs/tuning.md describes the file.

#include "kernels/base/fixed_array.h"
#include "micrort/algorithm_chooser.h"

namespace micrort {

class TunedText;

// For layers that the file does not contain, the cost decides. If an interpreter cannot follow a choice, or
// has another instruction set or number of threads than the file was measured with, creating it is an error
// (kInvalidArgument). Immutable, so any number of interpreters may use one object.
class TunedChoices final : public AlgorithmChooser {
 public:
  TunedChoices() = default;  // knows no layer
  // kIo if the file cannot be read, kInvalidArgument if it is incomplete or malformed.
  static Result<TunedChoices> FromFile(const char* path);
  // From the content of such a file, which is copied. Every message begins with `label`.
  static Result<TunedChoices> FromText(Span<const char> text, const char* label);

  Status Choose(const LayerAlgorithms& layer, size_t* choice) const override;

  size_t layers() const { return choices_.size(); }
  const char* cpu() const { return cpu_; }
  int threads() const { return threads_; }

 private:
  struct Choice {
    uint64_t layer = 0;
    uint16_t algorithm = 0;      // AlgorithmInfo::variant; 0: this library has none of that name
    const char* name = nullptr;  // in text_
  };
  Status Parse(Span<const char> text, const char* label);
  Status ParseHeader(TunedText* text);
  Status ParseChoices(TunedText* text);

  FixedArray<char> text_, label_;
  const char* cpu_ = nullptr;  // in text_
  CpuFeatures isa_ = 0;        // what it names
  int threads_ = 0;
  FixedArray<Choice> choices_;  // by layer, ascending
};

}  // namespace micrort
