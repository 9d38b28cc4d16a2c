#pragma once
// What TensorFlow Lite itself makes of a model, where one of its npm packages is at hand.

#include <set>
#include <string>
#include <vector>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing {

// @tensorflow/tfjs-tflite, of 2021, or its successor @litertjs/core.
enum class TflitePackage { kTfjsTflite, kLiteRt };

// Models with inputs. Adding one draws its inputs; Compare() runs all, there and here, and fails the test
// where outputs differ.
class TfliteOpinion {
 public:
  explicit TfliteOpinion(TflitePackage package = TflitePackage::kTfjsTflite) : package_(package) {}

  // The folder of the package's WebAssembly, or "" where it is not installed.
  static std::string WasmFolder(TflitePackage package);

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

  TflitePackage package_;
  std::vector<Case> cases_;
};

}  // namespace micrort::testing

#define MICRORT_NEEDS_TFLITE_PACKAGE(package)                                                            \
  if (::micrort::testing::TfliteOpinion::WasmFolder(::micrort::testing::TflitePackage::package).empty()) \
  GTEST_SKIP() << "skipped: no TensorFlow Lite; ./dev opinion installs its npm packages and runs this"
#define MICRORT_NEEDS_TFLITE() MICRORT_NEEDS_TFLITE_PACKAGE(kTfjsTflite)
