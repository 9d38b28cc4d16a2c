#pragma once
// What the importer of a layer sees: its parameters, its bottoms as values of the graph, its weights, and a
// builder.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/caffe/caffe.pb.h"
#include "converter/frontend/caffe/weights.h"
#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/errors.h"
#include "converter/ir/dims.h"

namespace micrort::frontend::caffe {

using ir::CopyDim;
using ir::kInferDim;

class LayerContext {
 public:
  // blobs: none if the layer has no weights. Each bottom has a type and a shape.
  LayerContext(const ::caffe::LayerParameter& layer, Blobs blobs, ir::Builder& builder,
               std::vector<ir::ValueId> bottoms)
      : build(builder), layer(layer), blobs_(std::move(blobs)), bottoms_(std::move(bottoms)) {
    tops_.assign(static_cast<size_t>(layer.top_size()), ir::kNoValue);
  }

  ir::Builder& build;
  const ::caffe::LayerParameter& layer;

  size_t bottom_count() const { return bottoms_.size(); }
  ir::ValueId bottom(size_t i = 0) const { return bottoms_[i]; }
  const std::vector<ir::ValueId>& bottoms() const { return bottoms_; }
  const ir::Value& value(ir::ValueId id) const { return build.graph().value(id); }
  const ir::Value& x(size_t i = 0) const { return value(bottoms_[i]); }
  int rank(size_t i = 0) const { return x(i).rank(); }
  int64_t dim(int axis, size_t i = 0) const { return x(i).shape[static_cast<size_t>(axis)]; }

  size_t top_count() const { return tops_.size(); }
  void SetTop(size_t i, ir::ValueId id) {
    if (i < tops_.size()) tops_[i] = id;
  }
  // SetTop(0, id), and the builder's status.
  Status Return(ir::ValueId id) {
    SetTop(0, id);
    return build.status();
  }
  Status Return(const Result<ir::ValueId>& id) { return id.ok() ? Return(id.value()) : id.status(); }
  const std::vector<ir::ValueId>& tops() const { return tops_; }

  // The axis as an index from 0; kInvalidModel if it is not in [-count, count).
  Result<int> Axis(int64_t axis, int count) const { return NormalizeAxis(axis, count); }
  // kInvalidModel unless the bottom has so many dimensions.
  Status ExpectRank(size_t i, int rank) const;
  // kUnsupported, with what to do, unless the dimensions [begin, end) of bottom i are fixed.
  Status ExpectFixed(size_t i, int begin, int end) const;

  size_t blob_count() const { return blobs_.size(); }
  // Weights of that shape, which the file may spell with more or fewer dimensions of size 1.
  Result<ir::ValueId> Weights(size_t i, const std::vector<int64_t>& shape);
  // The same as numbers.
  Result<std::vector<float>> WeightValues(size_t i, const std::vector<int64_t>& shape) const;
  // The shape that the file has; kInvalidArgument if the layer's weights are missing.
  Status WeightShape(size_t i, std::vector<int64_t>* shape) const;
  // The first `count` blobs, if they are there, have no effect.
  void IgnoreWeights(size_t count) { read_ = std::max(read_, count); }
  // kInvalidModel if there are more blobs than the layer has read.
  Status CheckAllRead() const;

 private:
  const Blobs blobs_;
  mutable size_t read_ = 0;  // of the blobs
  std::vector<ir::ValueId> bottoms_;
  std::vector<ir::ValueId> tops_;
};

// kInvalidModel, in the form `what: found ..., expected low to high`, unless the number is in the range.
Status ExpectRange(const char* what, int64_t v, int64_t low, int64_t high);

// The limit of kernels, strides, numbers of outputs ...: products of two fit 64 bits.
constexpr int64_t kMaxExtent = int64_t{1} << 24;

}  // namespace micrort::frontend::caffe
