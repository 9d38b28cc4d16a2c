#pragma once
// What became of a model and of each of its layers: the content of --report and --verify=layers.

#include <limits>
#include <string>
#include <vector>

#include "converter/quantize/sample_checks.h"
#include "converter/report/baseline.h"
#include "converter/report/summary.h"
#include "converter/report/task_quality.h"
#include "converter/report/verify.h"

namespace micrort::report {

// Signal to noise ratios, in dB: from the first on results hardly change, below the second an output deserves
// a look, below the third it is most likely of no use.
constexpr double kGoodSnr = 30.0, kDoubtfulSnr = 20.0, kBrokenSnr = 10.0;

// One node of the source model, with what the converter made of it.
struct LayerQuality {
  size_t position = 0;     // in run order
  std::string node, op;    // "Conv2D"
  std::string tensor;      // its output in the source model; "" if nothing there corresponds to it
  std::string computes;    // "int8", "float32, int8 weights"
  std::string kept_float;  // why it is not quantized as asked; "" if it is

  bool is_compared = false;                                    // the figures up to clipped_share
  io::Similarity similarity;                                   // of the tensor with the source model's
  double input_snr = std::numeric_limits<double>::infinity();  // the worst of its inputs, dB
  double damage = 0.0;         // noise over signal that it adds to that of its inputs
  double clipped_share = 0.0;  // of its values, those outside of its int8 range
  Bars values, weights;
  bool is_int8 = false;  // its output is, with this range
  double range_low = 0.0, range_high = 0.0;

  double float_microseconds = 0.0, microseconds = 0.0;  // estimated

  double snr() const { return similarity.Snr(); }
};

// Something that the reader should know first.
struct Finding {
  enum class Kind { kDoubtfulSamples, kCause, kSymptom, kAdvice };  // the gravest first
  Kind kind;
  std::string title, text;
};

struct Quality {
  std::string model;        // the source's file name
  std::string verified_on;  // "12 samples"
  Summary summary;
  Baseline baseline;
  double microseconds = 0.0;  // of the converted model, estimated
  std::vector<Finding> findings;
  std::vector<ComparedTensor> outputs;
  TaskQuality task;
  std::vector<LayerQuality> layers;  // in run order
  // Position of the first layer where the error jumps; none: no layer stands out.
  static constexpr size_t kNone = ~size_t{0};
  size_t first_jump = kNone;
};

struct QualityInputs {
  std::string model, verified_on;
  const ir::Graph* graph;  // the converted one
  const Summary* summary;
  const std::vector<ComparedTensor>* compared;  // of layers
  const TaskQuality* task;
  const std::vector<quantize::SampleWarning>* warnings;
  CpuFeatures features;
};

// Takes the baseline over.
Quality Judge(const QualityInputs& inputs, Baseline baseline);

// Positions in quality.layers, by damage; those without figures last.
std::vector<size_t> ByDamage(const Quality& quality);

// For the terminal: a line a layer, in run order, and where the error jumps.
std::string LayersText(const Quality& quality);
// One page without references to anything outside of it.
std::string ToHtml(const Quality& quality);
std::string ToJson(const Quality& quality);

}  // namespace micrort::report
