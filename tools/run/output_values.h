#pragma once
// What is in the outputs of a run: their first elements, and the classes that score highest.

#include <string>
#include <vector>

#include "kernels/base/status.h"
#include "micrort/tensor_view.h"

namespace micrort {

struct ScoredClass {
  size_t index = 0;
  double score = 0.0;
  std::string label;  // "" beyond the labels
};

// A label a line, the first for class 0. kIo if the file cannot be read.
Status ReadLabels(const std::string& path, std::vector<std::string>* labels);

// A line to say that these labels, of the file `path`, are not as many as the scores of an output; "" if they
// are, or if the output has no scores.
std::string LabelsNote(const TensorView& view, const std::string& path, size_t labels);

// "0.1 0.2 0.3 ...": at most eight.
std::string FirstElements(const TensorView& view);

// The five highest of an output that has a score for each class: one dimension of two elements or more, all
// others of 1. Else none.
std::vector<ScoredClass> TopClasses(const TensorView& view, const std::vector<std::string>& labels);

}  // namespace micrort
