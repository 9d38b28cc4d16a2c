#include "tools/run/output_values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "tools/io/array.h"
#include "tools/io/file.h"

namespace micrort {
namespace {

constexpr size_t kShown = 8, kTop = 5;

// Empty if the elements are no numbers.
std::vector<double> FirstNumbers(const TensorView& view, size_t most) {
  const size_t count = std::min(most, view.elements());
  const auto* bytes = static_cast<const uint8_t*>(view.data);
  io::NamedArray part{"", view.dtype, {static_cast<int64_t>(count)}, {}}, wide;
  part.data.assign(bytes, bytes + count * SizeOf(view.dtype));
  if (!io::ConvertArray(part, DType::kFloat64, &wide).ok()) return {};
  return {wide.as<double>(), wide.as<double>() + count};
}

bool IsVectorOfScores(const TensorView& view) {
  int long_dims = 0;
  for (int d = 0; d < view.shape.rank; ++d) long_dims += view.shape.dims[d] > 1;
  return long_dims == 1;
}

}  // namespace

Status ReadLabels(const std::string& path, std::vector<std::string>* labels) {
  std::vector<uint8_t> file;
  MICRORT_RETURN_IF_ERROR(io::ReadFile(path, &file, io::kMostText));
  std::istringstream lines(std::string(file.begin(), file.end()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    labels->push_back(line);
  }
  return Status();
}

std::string LabelsNote(const TensorView& view, const std::string& path, size_t labels) {
  if (!IsVectorOfScores(view) || view.elements() == labels) return "";
  std::string note = path + " has " + std::to_string(labels) + (labels == 1 ? " label" : " labels") +
                     ", but output '" + view.name + "' has " + std::to_string(view.elements()) +
                     " scores: one line a class is expected, in the order of training";
  if (labels + 1 == view.elements()) note += "; a first line for the background may be missing";
  if (labels == view.elements() + 1) note += "; the first or last line may be one too many";
  return note;
}

std::string FirstElements(const TensorView& view) {
  std::string text;
  for (const double x : FirstNumbers(view, kShown)) {
    char number[32];
    std::snprintf(number, sizeof number, "%s%.6g", text.empty() ? "" : " ", x);
    text += number;
  }
  return view.elements() > kShown ? text + " ..." : text;
}

std::vector<ScoredClass> TopClasses(const TensorView& view, const std::vector<std::string>& labels) {
  if (!IsVectorOfScores(view)) return {};
  const std::vector<double> scores = FirstNumbers(view, view.elements());
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  // What is no number scores lowest.
  const auto score = [&](size_t i) { return std::isnan(scores[i]) ? -HUGE_VAL : scores[i]; };
  const size_t count = std::min(kTop, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](size_t a, size_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
  std::vector<ScoredClass> top;
  for (size_t i = 0; i < count; ++i) {
    const size_t index = order[i];
    top.push_back({index, scores[index], index < labels.size() ? labels[index] : ""});
  }
  return top;
}

}  // namespace micrort
