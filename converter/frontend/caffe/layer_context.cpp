#include "converter/frontend/caffe/layer_context.h"

#include <algorithm>

namespace micrort::frontend::caffe {

namespace {

std::vector<int64_t> WithoutOnes(std::vector<int64_t> shape) {
  shape.erase(std::remove(shape.begin(), shape.end(), 1), shape.end());
  return shape;
}

}  // namespace

Status LayerContext::ExpectRank(size_t i, int expected) const {
  if (rank(i) == expected) return Status();
  return Invalid("bottom '{}': expected {} dimensions, found {}", layer.bottom(static_cast<int>(i)), expected,
                 rank(i));
}

Status LayerContext::ExpectFixed(size_t i, int begin, int end) const {
  for (int axis = begin; axis < end; ++axis) {
    if (dim(axis, i) != ir::kDynamic) continue;
    return Unsupported("dimension {} of bottom '{}' must be fixed; give a shape with --input-shape", axis,
                       layer.bottom(static_cast<int>(i)));
  }
  return Status();
}

Status LayerContext::WeightShape(size_t i, std::vector<int64_t>* shape) const {
  if (blobs_.empty()) {
    return MICRORT_ERROR(kInvalidArgument,
                         "its weights are missing; give the .caffemodel that has them with --weights");
  }
  if (i >= blob_count())
    return Invalid("expected at least {} blobs of weights, found {}", i + 1, blob_count());
  read_ = std::max(read_, i + 1);
  return BlobShapeOf(*blobs_[i], shape);
}

Status LayerContext::CheckAllRead() const {
  if (blob_count() <= read_) return Status();
  return Invalid("it has {} blobs of weights: expected {}", blob_count(), read_);
}

Result<std::vector<float>> LayerContext::WeightValues(size_t i, const std::vector<int64_t>& shape) const {
  std::vector<int64_t> found;
  if (Status s = WeightShape(i, &found); !s.ok())
    return s.code() == StatusCode::kInvalidArgument ? s : s.WithPrefix("blob %zu", i);
  if (WithoutOnes(found) != WithoutOnes(shape))
    return Invalid("blob {}: expected weights of shape {}, found {}", i, BlobShapeText(shape),
                   BlobShapeText(found));
  return BlobElements(*blobs_[i]);
}

Result<ir::ValueId> LayerContext::Weights(size_t i, const std::vector<int64_t>& shape) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> values, WeightValues(i, shape));
  return build.graph().AddConstantOf(layer.name() + "/" + std::to_string(i), shape, values);
}

Status ExpectRange(const char* what, int64_t v, int64_t low, int64_t high) {
  return v >= low && v <= high ? Status() : Invalid("{}: found {}, expected {} to {}", what, v, low, high);
}

}  // namespace micrort::frontend::caffe
