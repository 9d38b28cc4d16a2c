#include "converter/observe/record_test.h"

#include <algorithm>

#include "converter/observe/runner.h"
#include "tools/io/session.h"

namespace micrort::observe {
namespace {

constexpr size_t kRuns = 3;

io::NamedArray Copy(const TensorView& tensor) {
  const auto* begin = static_cast<const uint8_t*>(tensor.data);
  return {tensor.name, tensor.dtype, io::ToVector(tensor.shape), {begin, begin + tensor.bytes()}};
}

}  // namespace

Status RecordTest(const AlignedBytes& file, const std::vector<Sample>& samples, CpuFeatures features,
                  io::SelfTest* test) {
  Runner runner;
  MICRORT_RETURN_IF_ERROR(runner.Load(file, features, nullptr));
  for (size_t i = 0; i < std::min(samples.size(), kRuns); ++i) {
    MICRORT_RETURN_IF_ERROR(runner.Run(samples[i]));
    io::SelfTest::Run run;
    const Interpreter& interpreter = runner.interpreter();
    for (size_t k = 0; k < interpreter.input_count(); ++k) {
      run.inputs.push_back(samples[i][k]);
      run.inputs.back().name = interpreter.input(k).name;
    }
    for (size_t k = 0; k < interpreter.output_count(); ++k)
      run.outputs.push_back(Copy(interpreter.output(k)));
    test->runs.push_back(std::move(run));
  }
  return Status();
}

}  // namespace micrort::observe
