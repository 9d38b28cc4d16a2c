#pragma once
// What TensorFlow Lite itself makes of a model, where its npm package is at hand.

#include <set>
#include <string>
#include <vector>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing {

// Models with inputs. Adding one draws its inputs; Compare() runs all, there and here, and fails the test
// where outputs differ.
class TfliteOpinion {
 public:
  // The folder of TensorFlow Lite's WebAssembly, or "" where it is not installed.
  static std::string WasmFolder();

  // `tolerance`: of floats, times the largest of 1 and the expected number; of integers, in steps. Float
  // inputs lie in [lo, hi); integers in all that their type holds, int32 in [lo, hi].
  void Add(const std::string& name, TfliteBuilder builder, double tolerance, float lo = -2, float hi = 2);
  // `refused`: models that TensorFlow Lite does not run.
  void Compare(const std::set<std::string>& refused = {});

 private:
  struct Case {
    std::string name;
    TfliteBuilder builder;
    double tolerance;
    std::map<std::string, Floats> inputs;
    std::string input_bytes;
  };
  void CompareOne(const Case& c, const std::string& file) const;

  std::vector<Case> cases_;
};

}  // namespace micrort::testing

#define MICRORT_NEEDS_TFLITE()                                                                            \
  if (::micrort::testing::TfliteOpinion::WasmFolder().empty())                                            \
  GTEST_SKIP() << "skipped: no TensorFlow Lite; ./dev opinion installs @tensorflow/tfjs-tflite and runs " \
                  "this"
