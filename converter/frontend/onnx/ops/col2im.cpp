// Col2Im: columns of blocks added up where the blocks lie in the image, by a ScatterElements. Operators
// compute where each element goes from the sizes; where these are known, that is a constant. What falls into
// the padding goes to one more place behind the image.

#include <vector>

#include "converter/frontend/onnx/registry.h"
#include "converter/ir/build.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::onnx {

namespace {

// Blocks added up in an image whose size only a run, or the values of an input, tell.

// The blocks along one dimension of the image.
struct BlockAxis {
  int64_t block = 0, dilation = 1, pad = 0, pad_end = 0, stride = 1;

  // The dimension is at least this large, so that one block fits.
  int64_t least_image() const { return dilation * (block - 1) + 1 - pad - pad_end; }
};

class ComputedPlaces {
 public:
  ComputedPlaces(ir::Builder& b, ir::ValueId image_size, const std::vector<BlockAxis>& axes)
      : b_(b), axes_(axes) {
    for (size_t i = 0; i < axes.size(); ++i) {
      image_.push_back(b.Gather(image_size, Scalar(static_cast<int64_t>(i)), 0));
      elements_ *= axes[i].block;
      total_ = i == 0 ? image_[0] : b_.Mul(total_, image_[i]);
    }
  }

  int64_t elements() const { return elements_; }  // of a block
  ir::ValueId total() const { return total_; }    // places in the image

  // [1, 1, elements * blocks]: where each element of each block lies, total() where that is outside.
  ir::ValueId Of(ir::ValueId blocks) {
    ir::ValueId rest = b_.Range({Scalar(0), blocks, Scalar(1)});
    std::vector<ir::ValueId> at(axes_.size());
    int64_t elements_behind = 1;
    for (size_t i = axes_.size(); i-- > 0;) {
      const ir::ValueId positions = Positions(i);
      // An index that is too large for the first axis lies outside.
      const ir::ValueId position = i == 0 ? rest : b_.Mod(rest, positions);
      if (i != 0) rest = b_.Div(rest, positions);
      at[i] = b_.Add(Offsets(i, elements_behind), b_.Mul(position, Scalar(axes_[i].stride)));
      elements_behind *= axes_[i].block;
    }
    ir::ValueId place = at[0], inside = IsInside(at[0], 0);
    for (size_t i = 1; i < at.size(); ++i) {
      place = b_.Add(b_.Mul(place, image_[i]), at[i]);
      inside = b_.And(inside, IsInside(at[i], i));
    }
    return b_.Reshape(b_.Select({inside, place, total_}), {1, 1, ir::kInferDim});
  }

 private:
  ir::ValueId Scalar(int64_t v) { return b_.Integer(v); }

  // How many blocks there are along an axis; at least one, as it is divided by.
  ir::ValueId Positions(size_t i) {
    const ir::ValueId room = b_.Sub(image_[i], Scalar(axes_[i].least_image() - axes_[i].stride));
    return b_.Max(b_.Div(room, Scalar(axes_[i].stride)), Scalar(1));
  }

  // [elements, 1]: of each element of a block, from where the block's position is.
  ir::ValueId Offsets(size_t i, int64_t elements_behind) {
    std::vector<int64_t> offsets;
    for (int64_t e = 0; e < elements_; ++e)
      offsets.push_back(e / elements_behind % axes_[i].block * axes_[i].dilation - axes_[i].pad);
    return b_.Constant({elements_, 1}, offsets);
  }

  ir::ValueId IsInside(ir::ValueId at, size_t i) {
    return b_.And(b_.GreaterOrEqual(at, Scalar(0)), b_.Less(at, image_[i]));
  }

  ir::Builder& b_;
  const std::vector<BlockAxis>& axes_;
  std::vector<ir::ValueId> image_;
  ir::ValueId total_ = ir::kNoValue;
  int64_t elements_ = 1;
};

// Sizes of the columns that are open come from their shape, so that they fit each other whatever the image's
// size is. columns [N, C * elements of a block, blocks], image_size [axes], int64 → [N, C, image_size...].
// `zero`: of the type of columns.
ir::ValueId AddUpBlocks(ir::Builder& b, ir::ValueId columns, ir::ValueId image_size,
                        const std::vector<BlockAxis>& axes, ir::ValueId zero) {
  ComputedPlaces places(b, image_size, axes);
  const std::vector<int64_t> dims = b.graph().value(columns).shape;
  const ir::ValueId elements = b.Integers({places.elements()}), one = b.Integers({1});
  const ir::ValueId shape = b.ShapeOf(columns);
  const auto size = [&](size_t i, int64_t divisor) {
    if (dims[i] != ir::kDynamic) return b.Integers({dims[i] / divisor});
    const ir::ValueId open = b.Slice(shape, 0, static_cast<int64_t>(i), static_cast<int64_t>(i) + 1);
    return divisor == 1 ? open : b.Div(open, elements);
  };
  const ir::ValueId batch = size(0, 1), blocks = size(2, 1), channels = size(1, places.elements());
  const auto expand = [&](ir::ValueId x, const std::vector<ir::ValueId>& to) {
    return b.Expand({x, b.Concat(to, 0)});
  };
  // To the converter, an open second dimension need not be a multiple of the block.
  if (dims[1] == ir::kDynamic)
    columns = b.Add(schema::SliceOptionsT(), {columns, b.Integers({0}), b.Mul(channels, elements), one});
  const ir::ValueId length = b.Mul(blocks, elements);
  const ir::ValueId updates = b.ReshapeTo(columns, b.Concat({batch, channels, length}, 0));
  const ir::ValueId indices = expand(places.Of(b.Reshape(blocks, {})), {batch, channels, length});
  const ir::ValueId behind = b.Add(b.Reshape(places.total(), {1}), one);
  const ir::ValueId zeros = expand(expand(zero, {batch, channels, one}), {one, one, behind});
  const ir::ValueId sums =
      b.Slice(b.ScatterElements({zeros, indices, updates}, 2, schema::ScatterReduction::Add), 2, 0, -1);
  return b.ReshapeTo(sums, b.Concat({batch, channels, image_size}, 0));
}

constexpr size_t kMaxAxes = kMaxRank - 2;  // the image has a batch and channels too
// Where sizes are computed, the offset of each element of a block along each axis becomes a constant.
constexpr int64_t kMaxInBlock = int64_t{1} << 20;

Status ReadBlocks(NodeContext& c, std::vector<BlockAxis>* axes) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> block, c.ConstantIntegers(2));
  const size_t n = block.size();
  if (n > kMaxAxes) return Unsupported("blocks of {} dimensions, at most {} are possible", n, kMaxAxes);
  const std::vector<int64_t> ones(n, 1);
  const std::vector<int64_t> dilations = c.Ints("dilations", ones), strides = c.Ints("strides", ones);
  const std::vector<int64_t> pads = c.Ints("pads", std::vector<int64_t>(2 * n, 0));
  if (n == 0 || dilations.size() != n || strides.size() != n || pads.size() != 2 * n)
    return Invalid("dilations, pads or strides do not fit blocks of {} dimensions", n);
  for (size_t i = 0; i < n; ++i) {
    for (int64_t v : {block[i], dilations[i], strides[i], pads[i], pads[n + i]})
      MICRORT_RETURN_IF_ERROR(ToInt32(v, "size").status());
    const BlockAxis a = {block[i], dilations[i], pads[i], pads[n + i], strides[i]};
    if (a.block < 1 || a.dilation < 1 || a.stride < 1 || a.pad < 0 || a.pad_end < 0)
      return Invalid("dimension {}: a size of the block, dilation or stride below 1, or a negative pad", i);
    axes->push_back(a);
  }
  return Status();
}

// *blocks: how many fit into an image of this size. kUnsupported for more elements, also of the image, than
// are worth it.
Status CountBlocks(const std::vector<int64_t>& image, const std::vector<BlockAxis>& axes, int64_t* blocks) {
  if (image.size() != axes.size())
    return Invalid("image_shape has {} dimensions, the blocks have {}", image.size(), axes.size());
  int64_t pixels = 1, elements = 1;
  for (size_t i = 0; i < image.size(); ++i) {
    MICRORT_RETURN_IF_ERROR(ToInt32(image[i], "size").status());
    const int64_t room = image[i] - axes[i].least_image();
    if (image[i] < 1 || room < 0)
      return Invalid("blocks of {} do not fit dimension {} of the image", axes[i].block, i);
    pixels = SaturatedProduct(pixels, image[i]);
    *blocks = SaturatedProduct(*blocks, room / axes[i].stride + 1);
    elements = SaturatedProduct(elements, axes[i].block);
  }
  if (pixels <= ir::kMaxMade && SaturatedProduct(elements, *blocks) <= ir::kMaxMade) return Status();
  return Unsupported("more than {} elements", ir::kMaxMade);
}

Status ImportCol2Im(NodeContext& c) {
  std::vector<BlockAxis> axes;
  std::vector<int64_t> size;
  MICRORT_RETURN_IF_ERROR(ReadBlocks(c, &axes));
  int64_t elements = 1, blocks = 1;
  for (const BlockAxis& axis : axes) elements = SaturatedProduct(elements, axis.block);
  const ir::Value &x = c.x(), &image = c.x(1);
  if (ir::IntegersOf(image, &size)) {
    MICRORT_RETURN_IF_ERROR(CountBlocks(size, axes, &blocks));
    if (x.rank() != 3 || (x.shape[2] != ir::kDynamic && x.shape[2] != blocks))
      return Invalid("expected [N, C * {}, {}]", elements, blocks);
  }
  if (elements > kMaxInBlock)
    return Unsupported("blocks of {} elements, at most {} are possible", elements, kMaxInBlock);
  if (x.rank() != 3 || (x.shape[1] != ir::kDynamic && (x.shape[1] < 1 || x.shape[1] % elements != 0)))
    return size.empty() ? Invalid("expected [N, C * {}, columns]", elements)
                        : Invalid("expected [N, C * {}, {}]", elements, blocks);
  if (image.dtype != DType::kInt64 || image.rank() != 1 ||
      (image.is_static() && image.elements() != static_cast<int64_t>(axes.size())))
    return Invalid("image_shape: expected {} int64, one for each dimension of the block", axes.size());
  return c.Return(AddUpBlocks(c.build, c.input(0), c.input(1), axes, c.Scalar(x.dtype, 0)));
}

}  // namespace

const ImporterList Col2ImImporters = {
    {"Col2Im", 3, 3, ImportCol2Im, Types(kNumbers).Since(18).Without("a block_shape that is not constant")},
};

}  // namespace micrort::frontend::onnx
