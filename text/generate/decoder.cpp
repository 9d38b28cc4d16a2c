#include "micrort/text/decoder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "kernels/base/half.h"
#include "text/generate/decoder_inputs.h"

namespace micrort::text {
namespace {

using Clock = std::chrono::steady_clock;

// Writes numbers first, first + 1 ..., in each row of the last dimension.
template <typename T>
void CountUp(int64_t first, const Shape& shape, void* data) {
  auto* to = static_cast<T*>(data);
  const int64_t row = shape[shape.rank - 1], count = shape.elements();
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(first + i % row);
}

// Ones for the first tokens of each row; a mask may be longer.
template <typename T>
void FillMask(int64_t ones, const Shape& shape, void* data) {
  auto* to = static_cast<T*>(data);
  const int64_t row = shape[shape.rank - 1], count = shape.elements();
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(i % row < ones ? 1 : 0);
}

// The most tokens of a run: a longer prompt would take more memory, and no less time.
constexpr size_t kMostRunTokens = 128;

}  // namespace

class DecoderImpl {
 public:
  DecoderImpl(Interpreter interpreter, const std::vector<FixedInput>& fixed, size_t most_tokens)
      : interpreter_(std::move(interpreter)), fixed_(fixed), most_tokens_(most_tokens) {}

  Status Prepare(DecoderInputs inputs) {
    inputs_ = std::move(inputs);
    caches_.resize(inputs_.inputs.size());
    for (const DecoderInput& input : inputs_.inputs) {
      if (input.role != InputRole::kTokens) continue;
      const Shape& shape = input.declared.shape;
      if (ShapeOf(input, 1, 0).elements() == 0)
        return MICRORT_ERROR(kUnsupported, "input '%.80s' has no room for a token", input.declared.name);
      if (shape[shape.rank - 1] >= 0) tokens_a_run_ = shape[shape.rank - 1];
    }
    if (tokens_a_run_ > 1)
      return MICRORT_ERROR(kUnsupported, "the model reads %lld tokens a run; expected 1, or an open number",
                           static_cast<long long>(tokens_a_run_));
    const DType dtype = interpreter_.output(inputs_.logits).dtype;
    if (dtype != DType::kFloat32 && dtype != DType::kFloat16)
      return MICRORT_ERROR(kUnsupported, "logits are %s; expected float32 or float16", Name(dtype));
    Reset();
    // In caches no row counts yet: what is there belongs to other states, which do not go back.
    const bool has_other_states = interpreter_.StateBytes() != sizeof(int64_t);
    const bool has_states = interpreter_.state_count() > 0;
    goes_back_ = has_states && !has_other_states && !has_caches_as_inputs();
    reads_again_ = !has_states && !has_caches_as_inputs() && tokens_a_run_ != 1;
    // Caches that are inputs would be copied once more for each run.
    if (has_states && !has_caches_as_inputs()) most_tokens_ = std::min(most_tokens_, kMostRunTokens);
    return Status();
  }

  void Reset() {
    before_ = 0;
    read_.clear();
    Begin();
    interpreter_.ResetState();
    for (size_t i = 0; i < caches_.size(); ++i) {
      if (inputs_.inputs[i].role != InputRole::kCache) continue;
      caches_[i].shape = ShapeOf(inputs_.inputs[i], 1, 0);
      const auto elements = static_cast<size_t>(caches_[i].shape.elements());
      caches_[i].bytes.assign(elements * SizeOf(inputs_.inputs[i].declared.dtype), 0);
    }
  }

  size_t Restart(Span<const int32_t> tokens) {
    const size_t most = std::min(read_.size(), tokens.empty() ? 0 : tokens.size() - 1);
    const auto end =
        std::mismatch(read_.begin(), read_.begin() + static_cast<ptrdiff_t>(most), tokens.begin());
    const auto same = static_cast<size_t>(end.first - read_.begin());
    const bool is_known = goes_back_ && read_.size() == this->tokens();
    if (!is_known || same == 0 || !Truncate(same).ok()) {
      Reset();
      return 0;
    }
    Begin();
    return same;
  }

  Status Read(Span<const int32_t> tokens, Span<float>* logits) {
    if (tokens.empty()) return MICRORT_ERROR(kInvalidArgument, "no token to read");
    if (reads_again_) return ReadAgain(tokens, logits);
    const size_t most = tokens_a_run_ == 1 ? 1 : most_tokens_;
    for (size_t at = 0; at < tokens.size();) {
      const size_t at_once = std::min(tokens.size() - at, most);
      MICRORT_RETURN_IF_ERROR(Run({tokens.data() + at, at_once}));
      KeepCaches();
      read_.insert(read_.end(), tokens.begin() + at, tokens.begin() + at + at_once);
      before_ += static_cast<int64_t>(at_once);
      at += at_once;
    }
    return TakeLogits(logits);
  }

  Status SetFixed(const std::string& name, Span<const uint8_t> bytes) {
    for (FixedInput& fixed : fixed_) {
      if (fixed.name != name) continue;
      if (fixed.bytes.size() != bytes.size())
        return MICRORT_ERROR(kInvalidArgument, "input '%.80s': expected %zu bytes, found %zu", name.c_str(),
                             fixed.bytes.size(), bytes.size());
      std::copy(bytes.begin(), bytes.end(), fixed.bytes.begin());
      has_fixed_ = false;
      Reset();
      return Status();
    }
    return MICRORT_ERROR(kInvalidArgument, "no fixed input '%.80s'", name.c_str());
  }

  size_t vocabulary_size() const {
    const Shape shape = interpreter_.output(inputs_.logits).shape;
    return shape.rank == 0 ? 0 : static_cast<size_t>(shape[shape.rank - 1]);
  }

  size_t tokens() const { return static_cast<size_t>(before_); }

  Status Truncate(size_t count) {
    if (count == tokens()) return Status();
    if (count > tokens())
      return MICRORT_ERROR(kInvalidArgument, "%zu tokens to keep, of %zu", count, tokens());
    if (count > 0 && has_caches_as_inputs())
      return MICRORT_ERROR(kInvalidArgument, "caches that are inputs go back to no token only, not to %zu",
                           count);
    if (count > 0) {
      if (!reads_again_) MICRORT_RETURN_IF_ERROR(interpreter_.TruncateState(count));
      before_ = static_cast<int64_t>(count);
      read_.resize(std::min(read_.size(), count));
    } else {
      Reset();
    }
    return Status();
  }

  void SetDeadline(Clock::time_point deadline) { deadline_ = deadline; }

  void Cancel() {
    is_cancelled_ = true;
    interpreter_.Cancel();
  }

  size_t memory_bytes() const {
    size_t bytes = interpreter_.arena_bytes();
    for (const Cache& cache : caches_) bytes += cache.bytes.capacity();
    return bytes;
  }

 private:
  struct Cache {
    Shape shape;
    std::vector<uint8_t> bytes;
  };

  void Begin() {
    is_cancelled_ = false;
    deadline_ = Clock::time_point::max();
  }

  // A model without caches sees no tokens but those of the run. One that fails has read nothing.
  Status ReadAgain(Span<const int32_t> tokens, Span<float>* logits) {
    const int64_t before = std::exchange(before_, 0);
    read_.insert(read_.end(), tokens.begin(), tokens.end());
    const Status status = Run({read_.data(), read_.size()});
    if (!status.ok()) read_.resize(static_cast<size_t>(before));
    before_ = static_cast<int64_t>(read_.size());
    return status.ok() ? TakeLogits(logits) : status;
  }

  bool has_caches_as_inputs() const {
    return std::any_of(inputs_.inputs.begin(), inputs_.inputs.end(),
                       [](const DecoderInput& input) { return input.role == InputRole::kCache; });
  }

  Status Run(Span<const int32_t> tokens) {
    const auto count = static_cast<int64_t>(tokens.size());
    std::vector<Shape> shapes;
    bool differs = false;
    for (size_t i = 0; i < inputs_.inputs.size(); ++i) {
      const DecoderInput& input = inputs_.inputs[i];
      if (input.role == InputRole::kCache) {
        shapes.push_back(caches_[i].shape);
      } else if (input.role == InputRole::kFixed) {
        shapes.push_back(fixed_[input.fixed].shape);
      } else {
        shapes.push_back(ShapeOf(input, count, before_));
      }
      differs = differs || shapes.back() != interpreter_.input(i).shape;
    }
    if (differs) {
      MICRORT_RETURN_IF_ERROR(interpreter_.Resize({shapes.data(), shapes.size()}));
      has_fixed_ = false;
    }
    Status status;
    do {
      if (is_cancelled_) return MICRORT_ERROR(kCancelled, "the decoder was cancelled");
      for (size_t i = 0; i < inputs_.inputs.size(); ++i) Fill(i, tokens);
      has_fixed_ = true;
      status = RunUntilDeadline();
      // A call that came too late for what it was to end ends the first run after Reset() instead.
    } while (status.code() == StatusCode::kCancelled && !is_cancelled_);
    return status;
  }

  Status RunUntilDeadline() {
    if (deadline_ == Clock::time_point::max()) return interpreter_.Run();
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(deadline_ - Clock::now()).count();
    if (left <= 0) return MICRORT_ERROR(kDeadlineExceeded, "the time is over");
    return interpreter_.RunFor(static_cast<uint64_t>(left));
  }

  void Fill(size_t index, Span<const int32_t> tokens) {
    const DecoderInput& input = inputs_.inputs[index];
    const TensorView view = interpreter_.input(index);
    const bool is_wide = view.dtype == DType::kInt64;
    switch (input.role) {
      case InputRole::kTokens:
        for (size_t i = 0; i < tokens.size(); ++i) {
          if (is_wide) {
            static_cast<int64_t*>(view.data)[i] = tokens[i];
          } else {
            static_cast<int32_t*>(view.data)[i] = tokens[i];
          }
        }
        return;
      case InputRole::kPositions:
        return is_wide ? CountUp<int64_t>(before_, view.shape, view.data)
                       : CountUp<int32_t>(before_, view.shape, view.data);
      case InputRole::kMask: {
        const int64_t ones = before_ + static_cast<int64_t>(tokens.size());
        if (view.dtype == DType::kFloat32) return FillMask<float>(ones, view.shape, view.data);
        return is_wide ? FillMask<int64_t>(ones, view.shape, view.data)
                       : FillMask<int32_t>(ones, view.shape, view.data);
      }
      case InputRole::kCache:
        return Copy(caches_[index].bytes, view);
      case InputRole::kFixed:
        // The interpreter keeps inputs, and keys of an encoder take longer to copy than a token to compute.
        return has_fixed_ ? void() : Copy(fixed_[input.fixed].bytes, view);
    }
  }

  static void Copy(const std::vector<uint8_t>& bytes, const TensorView& to) {
    const size_t count = std::min(bytes.size(), to.bytes());
    if (count > 0) std::memcpy(to.data, bytes.data(), count);
  }

  void KeepCaches() {
    for (size_t i = 0; i < inputs_.inputs.size(); ++i) {
      if (inputs_.inputs[i].role != InputRole::kCache) continue;
      const TensorView present = interpreter_.output(inputs_.inputs[i].output);
      const auto* bytes = static_cast<const uint8_t*>(present.data);
      caches_[i].shape = present.shape;
      caches_[i].bytes.assign(bytes, bytes + present.bytes());
    }
  }

  Status TakeLogits(Span<float>* logits) {
    const TensorView view = interpreter_.output(inputs_.logits);
    const int64_t width = view.shape.rank == 0 ? 0 : view.shape[view.shape.rank - 1];
    if (width < 1 || view.shape.elements() < width)
      return MICRORT_ERROR(kInvalidModel, "the logits are empty");
    logits_.resize(static_cast<size_t>(width));
    const auto first = static_cast<size_t>(view.shape.elements() - width);
    for (size_t i = 0; i < logits_.size(); ++i) {
      logits_[i] = view.dtype == DType::kFloat32
                       ? static_cast<const float*>(view.data)[first + i]
                       : HalfToFloat(static_cast<const uint16_t*>(view.data)[first + i]);
    }
    *logits = {logits_.data(), logits_.size()};
    return Status();
  }

  Interpreter interpreter_;
  std::vector<FixedInput> fixed_;
  size_t most_tokens_;  // of a run
  DecoderInputs inputs_;
  std::vector<Cache> caches_;  // one an input
  int64_t tokens_a_run_ = 0;   // 0: as many as there are
  int64_t before_ = 0;
  std::vector<int32_t> read_;  // the tokens before
  bool goes_back_ = false;     // to any length that the caches allow
  bool reads_again_ = false;   // all tokens, in each run
  bool has_fixed_ = false;     // the interpreter has the values of fixed inputs
  std::atomic<bool> is_cancelled_{false};
  Clock::time_point deadline_ = Clock::time_point::max();
  std::vector<float> logits_;
};

Decoder::Decoder(std::unique_ptr<DecoderImpl> impl) : impl_(std::move(impl)) {}
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
Decoder::~Decoder() = default;

Result<Decoder> Decoder::Create(const Model& model, const InterpreterOptions& options,
                                const std::vector<FixedInput>& fixed) {
  MICRORT_ASSIGN_OR_RETURN(DecoderInputs inputs, FindDecoderInputs(model, fixed));
  std::vector<Shape> shapes;
  for (const DecoderInput& input : inputs.inputs)
    shapes.push_back(input.role == InputRole::kFixed ? fixed[input.fixed].shape : ShapeOf(input, 1, 0));
  InterpreterOptions sized = options;
  sized.input_shapes = {shapes.data(), shapes.size()};
  sized.input_values = {};
  sized.keep_inputs = options.keep_inputs || !fixed.empty();
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(model, sized));
  MICRORT_RETURN_IF_ERROR(FindDecoderOutputs(interpreter, &inputs));
  auto impl = std::make_unique<DecoderImpl>(std::move(interpreter), fixed, model.state_chunk());
  MICRORT_RETURN_IF_ERROR(impl->Prepare(std::move(inputs)));
  return Decoder(std::move(impl));
}

void Decoder::Reset() { impl_->Reset(); }
Status Decoder::Read(Span<const int32_t> tokens, Span<float>* logits) { return impl_->Read(tokens, logits); }
Status Decoder::SetFixed(const std::string& name, Span<const uint8_t> bytes) {
  return impl_->SetFixed(name, bytes);
}
size_t Decoder::vocabulary_size() const { return impl_->vocabulary_size(); }
size_t Decoder::tokens() const { return impl_->tokens(); }
Status Decoder::Truncate(size_t count) { return impl_->Truncate(count); }
size_t Decoder::Restart(Span<const int32_t> tokens) { return impl_->Restart(tokens); }
void Decoder::Cancel() { impl_->Cancel(); }
void Decoder::SetDeadline(Clock::time_point deadline) { impl_->SetDeadline(deadline); }
size_t Decoder::memory_bytes() const { return impl_->memory_bytes(); }

}  // namespace micrort::text
