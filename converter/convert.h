#pragma once
// The whole way from a source model to a model file.

#include <optional>
#include <string>
#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "converter/frontend/frontend.h"
#include "converter/options.h"
#include "converter/report/quality.h"
#include "converter/report/summary.h"
#include "converter/report/verify.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort {

struct ConvertResult {
  AlignedBytes file;
  aot::EmittedFiles cpp;  // of options.cpp
  report::Summary summary;
  std::vector<std::string> notes;  // for the user to read, not errors
  std::vector<quantize::SampleWarning> warnings;
  std::vector<report::ComparedTensor> verification;
  report::TaskQuality task;                         // of the samples
  std::vector<report::ComparedTensor> expectation;  // of options.expected, in run order
  // Files that were read, beside the model: calibration data and external data of tensors.
  std::vector<std::string> sources;
  std::string samples;                     // what was compared on: "12 samples"
  std::optional<report::Quality> quality;  // of options.report and VerifyMode::kLayers
  // Filled when the conversion fails because of them.
  std::vector<frontend::UnsupportedOp> unsupported;
  bool exceeds_max_arena = false;
  std::vector<InputShape> smaller_inputs;  // pictures of half the height and width; of options.max_arena
};

// `name` stands for the model in messages. Errors: kInvalidModel, kUnsupported (also if the arena exceeds
// options.max_arena), kInvalidArgument (options that do not fit the model), kIo (samples).
Status ConvertBytes(const std::string& name, Span<const uint8_t> model, const ConvertOptions& options,
                    ConvertResult* result);

// The same for a file; data of its tensors may lie in other files of its folder.
Status Convert(const std::string& path, const ConvertOptions& options, ConvertResult* result);

}  // namespace micrort
