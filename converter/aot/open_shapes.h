#pragma once
// Shapes in emitted code whose sizes a run decides.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/base/shape.h"

namespace micrort::aot {

// A number, or what the run has written to `m.sizes[slot]`.
struct OpenDim {
  int64_t number = 0;
  int slot = -1;  // -1: it is the number

  bool is_open() const { return slot >= 0; }
  bool operator==(const OpenDim& o) const { return slot == o.slot && (is_open() || number == o.number); }
  // As int64_t, where `sizes` is the name of the run's sizes.
  std::string Text(const std::string& sizes = "m.sizes") const;
};

struct OpenShape {
  std::vector<OpenDim> dims;

  OpenShape() = default;
  explicit OpenShape(const Shape& shape);
  bool is_open() const;
  // The expression of the product of dimensions [first, end), as int64_t.
  std::string Product(size_t first, size_t end, const std::string& sizes = "m.sizes") const;
  std::string Elements(const std::string& sizes = "m.sizes") const { return Product(0, dims.size(), sizes); }
  // As a micrort::Shape.
  std::string Text() const;
};

// Those of one program's graph, by view, as its steps give them.
class OpenShapes {
 public:
  // A size that a step writes. `bound`: the largest, which it is before the first run.
  OpenDim Add(int64_t bound) {
    bounds_.push_back(bound);
    return {bound, static_cast<int>(bounds_.size()) - 1};
  }
  void Set(int32_t view, const OpenShape& shape) { shapes_[view] = shape; }
  // null: every size of the view is fixed.
  const OpenShape* Find(int32_t view) const {
    const auto found = shapes_.find(view);
    return found == shapes_.end() ? nullptr : &found->second;
  }
  const std::vector<int64_t>& bounds() const { return bounds_; }

 private:
  std::map<int32_t, OpenShape> shapes_;
  std::vector<int64_t> bounds_;
};

}  // namespace micrort::aot
