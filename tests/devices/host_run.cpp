#include "tests/devices/host_run.h"

#include <gtest/gtest.h>
#include <micrort/micrort.h>

#include <cstring>
#include <random>

namespace micrort::test::devices {

namespace {

class CountMultiplyAdds final : public OpObserver {
 public:
  explicit CountMultiplyAdds(int64_t* count) : count_(count) {}
  void AfterOp(const OpInfo& op) override { *count_ += op.multiply_adds; }

 private:
  int64_t* count_;
};

void Fill(const TensorView& input) {
  std::mt19937 random(1);
  if (auto* floats = input.as<float>()) {
    for (size_t i = 0; i < input.elements(); ++i) {
      floats[i] = static_cast<float>(random() % 4096) / 2048.0f - 1.0f;
    }
    return;
  }
  auto* const bytes = static_cast<uint8_t*>(input.data);
  for (size_t i = 0; i < input.bytes(); ++i) bytes[i] = static_cast<uint8_t>(random());
}

std::string Bytes(const TensorView& tensor) {
  return std::string(static_cast<const char*>(tensor.data), tensor.bytes());
}

}  // namespace

void RunOnHost(const std::string& model_file, HostRun* run) {
  auto model = Model::FromFile(model_file.c_str());
  ASSERT_TRUE(model.ok()) << model.status().message();
  CountMultiplyAdds counter(&run->multiply_adds);
  InterpreterOptions options;
  options.observer = &counter;
  auto interpreter = Interpreter::Create(*model, options);
  ASSERT_TRUE(interpreter.ok()) << interpreter.status().message();
  ASSERT_EQ(interpreter->input_count(), 1u);
  Fill(interpreter->input(0));
  run->input = Bytes(interpreter->input(0));
  const Status status = interpreter->Run();
  ASSERT_TRUE(status.ok()) << status.message();
  for (size_t i = 0; i < interpreter->output_count(); ++i) run->outputs += Bytes(interpreter->output(i));
}

}  // namespace micrort::test::devices
