#include "tests/converter/run_onnx.h"

#include <gtest/gtest.h>

namespace micrort::testing {

std::map<std::string, Floats> RunOnnx(const OnnxBuilder& builder,
                                      const std::map<std::string, Floats>& inputs) {
  Imported imported = Import(builder);
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  std::map<std::string, Floats> outputs;
  if (!imported.status.ok()) return outputs;
  const Status status = Evaluate(imported.graph(), inputs, &outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

}  // namespace micrort::testing
