#pragma once
// Inputs and outputs that a model file carries, to be checked on the device that runs it (mnnconvert
// --embed-test, micrort-bench --self-test). They are buffers of the file, which its metadata describes.

#include <vector>

#include "micrort/micrort.h"
#include "schema/micrort_generated.h"
#include "tools/io/array.h"

namespace micrort::io {

// The entry of the metadata: a JSON object {"min_snr_db", "runs": [{"inputs": [TENSOR...], "outputs":
// [...]}]}, where TENSOR is {"name", "dtype", "shape", "buffer"}.
constexpr char kSelfTestKey[] = "micrort.self_test";

// Runs follow each other: a model that keeps state starts the first one with none.
struct SelfTest {
  struct Run {
    std::vector<NamedArray> inputs, outputs;  // in the model's order
  };
  double min_snr_db = 0;  // of floats; integers must be equal
  std::vector<Run> runs;
};

// Replaces what was there under the key.
void StoreSelfTest(const SelfTest& test, schema::ModelT* model);

// Errors: kInvalidArgument if the file carries none; kInvalidModel, naming the key, if it is broken.
Status LoadSelfTest(const Model& model, SelfTest* test);

struct SelfTestResult {
  size_t runs = 0;
  bool is_identical = true;  // every byte of every output
  double worst_snr_db = 0;   // infinity if all outputs are equal
};

// kUnsupported, naming run, output, expected and found, if the model computes something else here.
Status RunSelfTest(const Model& model, const SelfTest& test, const InterpreterOptions& options,
                   SelfTestResult* result);

}  // namespace micrort::io
