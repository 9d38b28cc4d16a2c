#include "converter/frontend/onnx/ops/col2im_places.h"

namespace micrort::frontend::onnx {

namespace {

using schema::BinaryKind;

class ComputedPlaces {
 public:
  ComputedPlaces(ir::Builder& b, ir::ValueId image_size, const std::vector<BlockAxis>& axes)
      : b_(b), axes_(axes) {
    for (size_t i = 0; i < axes.size(); ++i) {
      image_.push_back(b.Gather(image_size, Scalar(static_cast<int64_t>(i)), 0));
      elements_ *= axes[i].block;
      total_ = i == 0 ? image_[0] : Multiply(total_, image_[i]);
    }
  }

  int64_t elements() const { return elements_; }  // of a block
  ir::ValueId total() const { return total_; }    // places in the image

  // [1, 1, elements * blocks]: where each element of each block lies, total() where that is outside.
  ir::ValueId Of(ir::ValueId blocks) {
    ir::ValueId rest = b_.Add(schema::RangeOptionsT(), {Scalar(0), blocks, Scalar(1)});
    std::vector<ir::ValueId> at(axes_.size());
    int64_t elements_behind = 1;
    for (size_t i = axes_.size(); i-- > 0;) {
      const ir::ValueId positions = Positions(i);
      // What is too large for the first axis is outside.
      const ir::ValueId position = i == 0 ? rest : b_.Binary(BinaryKind::Mod, rest, positions);
      if (i != 0) rest = b_.Binary(BinaryKind::Div, rest, positions);
      at[i] = b_.Binary(BinaryKind::Add, Offsets(i, elements_behind),
                        Multiply(position, Scalar(axes_[i].stride)));
      elements_behind *= axes_[i].block;
    }
    ir::ValueId place = at[0], inside = IsInside(at[0], 0);
    for (size_t i = 1; i < at.size(); ++i) {
      place = b_.Binary(BinaryKind::Add, Multiply(place, image_[i]), at[i]);
      inside = b_.Binary(BinaryKind::And, inside, IsInside(at[i], i));
    }
    return b_.Reshape(b_.Add(schema::SelectOptionsT(), {inside, place, total_}), {1, 1, ir::kInferDim});
  }

 private:
  ir::ValueId Scalar(int64_t v) { return b_.Constant<int64_t>({}, {v}); }
  ir::ValueId Multiply(ir::ValueId a, ir::ValueId b) { return b_.Binary(BinaryKind::Mul, a, b); }

  // How many blocks there are along an axis; at least one, as it is divided by.
  ir::ValueId Positions(size_t i) {
    const ir::ValueId room =
        b_.Binary(BinaryKind::Sub, image_[i], Scalar(axes_[i].least_image() - axes_[i].stride));
    return b_.Binary(BinaryKind::Max, b_.Binary(BinaryKind::Div, room, Scalar(axes_[i].stride)), Scalar(1));
  }

  // [elements, 1]: of each element of a block, from where the block's position is.
  ir::ValueId Offsets(size_t i, int64_t elements_behind) {
    std::vector<int64_t> offsets;
    for (int64_t e = 0; e < elements_; ++e)
      offsets.push_back(e / elements_behind % axes_[i].block * axes_[i].dilation - axes_[i].pad);
    return b_.Constant({elements_, 1}, offsets);
  }

  ir::ValueId IsInside(ir::ValueId at, size_t i) {
    return b_.Binary(BinaryKind::And, b_.Binary(BinaryKind::GreaterOrEqual, at, Scalar(0)),
                     b_.Binary(BinaryKind::Less, at, image_[i]));
  }

  ir::Builder& b_;
  const std::vector<BlockAxis>& axes_;
  std::vector<ir::ValueId> image_;
  ir::ValueId total_ = ir::kNoValue;
  int64_t elements_ = 1;
};

}  // namespace

// All sizes of the columns come from their shape, so that they fit each other whatever the image's size is.
ir::ValueId AddUpBlocks(ir::Builder& b, ir::ValueId columns, ir::ValueId image_size,
                        const std::vector<BlockAxis>& axes, ir::ValueId zero) {
  ComputedPlaces places(b, image_size, axes);
  const ir::ValueId elements = b.Integers({places.elements()}), one = b.Integers({1});
  const ir::ValueId shape = b.ShapeOf(columns);
  const ir::ValueId batch = b.Slice(shape, 0, 0, 1), blocks = b.Slice(shape, 0, 2, 3);
  const ir::ValueId channels = b.Binary(BinaryKind::Div, b.Slice(shape, 0, 1, 2), elements);
  const auto expand = [&](ir::ValueId x, const std::vector<ir::ValueId>& dims) {
    return b.Add(schema::ExpandOptionsT(), {x, b.Concat(dims, 0)});
  };
  // To the converter, the second dimension need not be a multiple of the block.
  const ir::ValueId whole =
      b.Add(schema::SliceOptionsT(),
            {columns, b.Integers({0}), b.Binary(BinaryKind::Mul, channels, elements), one});
  const ir::ValueId length = b.Binary(BinaryKind::Mul, blocks, elements);
  const ir::ValueId updates =
      b.Add(schema::ReshapeOptionsT(), {whole, b.Concat({batch, channels, length}, 0)});
  const ir::ValueId indices = expand(places.Of(b.Reshape(blocks, {})), {batch, channels, length});
  const ir::ValueId behind = b.Binary(BinaryKind::Add, b.Reshape(places.total(), {1}), one);
  const ir::ValueId zeros = expand(expand(zero, {batch, channels, one}), {one, one, behind});
  const ir::ValueId sums =
      b.Slice(ir::ScatterElements(b, {zeros, indices, updates}, 2, schema::ScatterReduction::Add), 2, 0, -1);
  return b.Add(schema::ReshapeOptionsT(), {sums, b.Concat({batch, channels, image_size}, 0)});
}

}  // namespace micrort::frontend::onnx
