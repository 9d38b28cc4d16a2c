#pragma once
// How near a tensor of the converted model is to what it should be.

#include <string>

#include "converter/observe/histogram.h"
#include "tools/io/similarity.h"

namespace micrort::report {

struct ComparedTensor {
  std::string name;
  io::Similarity similarity;
  bool is_float = false;  // and not integers, of which neighbours may mean different things
  // For layers only:
  observe::Histogram values;  // of the reference
  double clipped_share =
      0.0;  // of the reference's values, those outside of the converted tensor's int8 range
};

}  // namespace micrort::report
