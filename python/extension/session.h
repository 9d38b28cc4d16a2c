#pragma once
// A model and an interpreter of it, for Python: any number of threads may use them, and no array outlives its
// memory.

#include <pybind11/numpy.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "micrort/micrort.h"
#include "python/extension/loaded_model.h"
#include "python/extension/step_times.h"

namespace micrort::python {

struct SessionOptions {
  int threads = 1;
  std::optional<std::string> isa, tuned;
  std::vector<std::vector<int64_t>> shapes;  // one an input, or empty
  std::vector<std::optional<pybind11::array>> values;
  bool keep_inputs = false, profile = false;
  std::optional<uint64_t> max_memory, max_work;
  std::vector<std::string> custom_ops;  // libraries
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  static std::shared_ptr<Session> Create(std::shared_ptr<LoadedModel> model, const SessionOptions& options);

  enum class Kind { kInput, kOutput, kState };
  size_t Count(Kind kind) const;
  TensorView View(Kind kind, size_t i) const;

  // In place, without a copy: it keeps the session, and as long as it lives the session cannot be resized.
  pybind11::array Array(Kind kind, size_t i);
  // A copy of an output.
  pybind11::array Copy(size_t i) const;
  // `array` is contiguous and of the input's type and shape.
  void SetInput(size_t i, const pybind11::array& array);
  void Resize(const std::vector<std::vector<int64_t>>& shapes,
              const std::vector<std::optional<pybind11::array>>& values);
  // Without the interpreter lock of Python. Seconds; none: no limit.
  void Run(std::optional<double> timeout);
  void Cancel() { interpreter_->Cancel(); }

  pybind11::bytes SaveState() const;
  void RestoreState(const pybind11::bytes& bytes);
  void ResetState() { interpreter_->ResetState(); }
  size_t StateLength() const { return interpreter_->StateLength(); }
  void TruncateState(size_t length);

  const Interpreter& interpreter() const { return *interpreter_; }
  const StepTimes& times() const { return times_; }

 private:
  explicit Session(std::shared_ptr<LoadedModel> model) : model_(std::move(model)) {}

  std::shared_ptr<LoadedModel> model_;
  std::optional<TunedChoices> tuned_;
  StepTimes times_;
  std::optional<Interpreter> interpreter_;
  std::mutex run_;                 // one run at a time
  std::atomic<size_t> arrays_{0};  // alive, that point into the arena
};

}  // namespace micrort::python
