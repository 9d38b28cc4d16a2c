#include "converter/aot/open_shapes.h"

#include <algorithm>

namespace micrort::aot {

std::string OpenDim::Text(const std::string& sizes) const {
  return is_open() ? sizes + "[" + std::to_string(slot) + "]" : std::to_string(number);
}

OpenShape::OpenShape(const Shape& shape) {
  for (int d = 0; d < shape.rank; ++d) dims.push_back({shape[d], -1});
}

bool OpenShape::is_open() const {
  return std::any_of(dims.begin(), dims.end(), [](const OpenDim& dim) { return dim.is_open(); });
}

std::string OpenShape::Product(size_t first, size_t end, const std::string& sizes) const {
  int64_t number = 1;
  std::string text;
  for (size_t d = first; d < end; ++d) {
    if (dims[d].is_open()) {
      text += " * " + dims[d].Text(sizes);
    } else {
      number *= dims[d].number;
    }
  }
  text = "int64_t{" + std::to_string(number) + "}" + text;
  return "(" + text + ")";
}

std::string OpenShape::Text() const {
  std::string list;
  for (const OpenDim& dim : dims) list += (list.empty() ? "" : ", ") + dim.Text();
  return "micrort::Shape::Of(" + list + ")";
}

}  // namespace micrort::aot
