#pragma once
// A decoder with one cache, run step by step.

#include <gmock/gmock.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/converter/converted.h"
#include "tests/status_matchers.h"

namespace micrort::testing {

using StepInputs = std::map<std::string, io::NamedArray>;

// The latest node is one of com.microsoft, and so may others be.
inline void OfMicrosoft(OnnxBuilder* b) {
  auto* contrib = b->model.add_opset_import();
  contrib->set_domain("com.microsoft");
  contrib->set_version(1);
  b->graph().mutable_node(b->graph().node_size() - 1)->set_domain("com.microsoft");
}

// A step of a decoder: its outputs are y, present_key and present_value.
class DecoderStep {
 public:
  DecoderStep(OnnxBuilder builder, const ConvertOptions& options)
      : converted_(builder, {"y", "present_key", "present_value"}, options) {
    EXPECT_THAT(converted_.status(), IsOk());
    auto created = Interpreter::Create(converted_.model());
    EXPECT_THAT(created, IsOk());
    interpreter_ = std::make_unique<Interpreter>(std::move(*created));
  }

  // y; inputs that the model lacks are left out.
  std::vector<float> Run(const StepInputs& values) {
    std::vector<Shape> shapes;
    bool differs = false;
    for (size_t i = 0; i < interpreter_->input_count(); ++i) {
      Shape shape;
      for (const int64_t dim : Of(values, i).shape) shape[shape.rank++] = dim;
      differs = differs || shape != interpreter_->input(i).shape;
      shapes.push_back(shape);
    }
    if (differs) {
      ++resizes;
      EXPECT_THAT(interpreter_->Resize({shapes.data(), shapes.size()}), IsOk());
    }
    for (size_t i = 0; i < interpreter_->input_count(); ++i) {
      const auto& data = Of(values, i).data;
      if (!data.empty()) std::memcpy(interpreter_->input(i).data, data.data(), data.size());
    }
    EXPECT_THAT(interpreter_->Run(), IsOk());
    return Floats(0);
  }

  io::NamedArray Output(size_t i) const {
    const TensorView view = interpreter_->output(i);
    return Array<float>({view.shape.dims, view.shape.dims + view.shape.rank}, Floats(i));
  }
  Interpreter& interpreter() { return *interpreter_; }
  const Converted& converted() const { return converted_; }

  int resizes = 0;

 private:
  const io::NamedArray& Of(const StepInputs& values, size_t i) const {
    return values.at(interpreter_->input(i).name);
  }
  std::vector<float> Floats(size_t i) const {
    const TensorView view = interpreter_->output(i);
    return {view.as<float>(), view.as<float>() + view.elements()};
  }

  Converted converted_;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace micrort::testing
