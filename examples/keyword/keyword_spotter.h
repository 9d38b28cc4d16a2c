#pragma once
// A network that tells which word a second of sound holds.

#include <micrort/micrort.h>

#include <string>
#include <vector>

#include "examples/keyword/keyword_features.h"

namespace examples {

struct Heard {
  double seconds;  // where the second begins
  std::string word;
  float score;
};

class KeywordSpotter {
 public:
  // A keyword network of MLPerf Tiny, as float or int8.
  static micrort::Result<KeywordSpotter> Load(const std::string& model_path);

  // Words in the sound, which has KeywordFeatures::kRate samples a second. The network looks at a second
  // every quarter of one; of seconds that overlap, the surest word counts.
  micrort::Result<std::vector<Heard>> Listen(const std::vector<float>& samples, float threshold);

 private:
  KeywordSpotter(micrort::Model model, micrort::Interpreter interpreter)
      : model_(std::move(model)), interpreter_(std::move(interpreter)) {}

  micrort::Status CheckNetwork() const;
  // The word of the second that the features have.
  micrort::Result<Heard> Recognize();

  micrort::Model model_;
  micrort::Interpreter interpreter_;
  KeywordFeatures features_;
};

}  // namespace examples
