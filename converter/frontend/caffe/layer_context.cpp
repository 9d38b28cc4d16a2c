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
  return MICRORT_ERROR(kInvalidModel, "bottom '%s': expected %d dimensions, found %d",
                       layer.bottom(static_cast<int>(i)).c_str(), expected, rank(i));
}

Status LayerContext::ExpectFixed(size_t i, int begin, int end) const {
  for (int axis = begin; axis < end; ++axis) {
    if (dim(axis, i) != ir::kDynamic) continue;
    return MICRORT_ERROR(kUnsupported,
                         "dimension %d of bottom '%s' must be fixed; give a shape with --input-shape", axis,
                         layer.bottom(static_cast<int>(i)).c_str());
  }
  return Status();
}

Status LayerContext::WeightShape(size_t i, std::vector<int64_t>* shape) const {
  if (blobs_.empty()) {
    return MICRORT_ERROR(kInvalidArgument,
                         "its weights are missing; give the .caffemodel that has them with --weights");
  }
  if (i >= blob_count()) {
    return MICRORT_ERROR(kInvalidModel, "expected at least %zu blobs of weights, found %zu", i + 1,
                         blob_count());
  }
  read_ = std::max(read_, i + 1);
  return BlobShapeOf(*blobs_[i], shape);
}

Status LayerContext::CheckAllRead() const {
  if (blob_count() <= read_) return Status();
  return MICRORT_ERROR(kInvalidModel, "it has %zu blobs of weights: expected %zu", blob_count(), read_);
}

Status LayerContext::WeightValues(size_t i, const std::vector<int64_t>& shape,
                                  std::vector<float>* out) const {
  std::vector<int64_t> found;
  if (Status s = WeightShape(i, &found); !s.ok()) {
    return s.code() == StatusCode::kInvalidArgument ? s : s.WithPrefix("blob %zu", i);
  }
  if (WithoutOnes(found) != WithoutOnes(shape)) {
    return MICRORT_ERROR(kInvalidModel, "blob %zu: expected weights of shape %s, found %s", i,
                         BlobShapeText(shape).c_str(), BlobShapeText(found).c_str());
  }
  *out = BlobElements(*blobs_[i]);
  return Status();
}

Status LayerContext::Weights(size_t i, const std::vector<int64_t>& shape, ir::ValueId* out) {
  std::vector<float> values;
  MICRORT_RETURN_IF_ERROR(WeightValues(i, shape, &values));
  *out = build.graph().AddConstantOf(layer.name() + "/" + std::to_string(i), shape, values);
  return Status();
}

Status ExpectRange(const char* what, int64_t v, int64_t low, int64_t high) {
  if (v >= low && v <= high) return Status();
  return MICRORT_ERROR(kInvalidModel, "%s: found %lld, expected %lld to %lld", what,
                       static_cast<long long>(v), static_cast<long long>(low), static_cast<long long>(high));
}

}  // namespace micrort::frontend::caffe
