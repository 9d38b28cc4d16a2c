#pragma once
// A network that tells which word a second of sound holds.

#include <micrort/micrort.h>

#include <string>
#include <vector>

#include "examples/keyword/mfcc.h"

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

  // Words in the sound, which has kRate samples a second: where seconds that begin every quarter agree best.
  micrort::Result<std::vector<Heard>> Listen(const std::vector<float>& samples, float threshold);

 private:
  KeywordSpotter(micrort::Model model, micrort::Interpreter interpreter)
      : model_(std::move(model)), interpreter_(std::move(interpreter)) {}

  micrort::Status CheckNetwork() const;
  micrort::Result<Heard> ListenAt(const float* samples);

  micrort::Model model_;
  micrort::Interpreter interpreter_;
  Mfcc mfcc_;
};

}  // namespace examples
