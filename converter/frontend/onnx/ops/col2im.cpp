// Col2Im: columns of blocks added up where the blocks lie in the image. Where each element goes follows from
// the sizes alone, so a ScatterElements with constant indices does it; what falls into the padding goes to
// one more place behind the image. Where sizes are dynamic, operators compute the indices.

#include <vector>

#include "converter/frontend/onnx/ops/reshape.h"
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

// All sizes of the columns come from their shape, so that they fit each other whatever the image's size is.
// columns [N, C * elements of a block, blocks], image_size [axes], int64 → [N, C, image_size...]. `zero`: of
// the type of columns.
ir::ValueId AddUpBlocks(ir::Builder& b, ir::ValueId columns, ir::ValueId image_size,
                        const std::vector<BlockAxis>& axes, ir::ValueId zero) {
  ComputedPlaces places(b, image_size, axes);
  const ir::ValueId elements = b.Integers({places.elements()}), one = b.Integers({1});
  const ir::ValueId shape = b.ShapeOf(columns);
  const ir::ValueId batch = b.Slice(shape, 0, 0, 1), blocks = b.Slice(shape, 0, 2, 3);
  const ir::ValueId channels = b.Div(b.Slice(shape, 0, 1, 2), elements);
  const auto expand = [&](ir::ValueId x, const std::vector<ir::ValueId>& dims) {
    return b.Expand({x, b.Concat(dims, 0)});
  };
  // To the converter, the second dimension need not be a multiple of the block.
  const ir::ValueId whole =
      b.Add(schema::SliceOptionsT(), {columns, b.Integers({0}), b.Mul(channels, elements), one});
  const ir::ValueId length = b.Mul(blocks, elements);
  const ir::ValueId updates =
      b.Add(schema::ReshapeOptionsT(), {whole, b.Concat({batch, channels, length}, 0)});
  const ir::ValueId indices = expand(places.Of(b.Reshape(blocks, {})), {batch, channels, length});
  const ir::ValueId behind = b.Add(b.Reshape(places.total(), {1}), one);
  const ir::ValueId zeros = expand(expand(zero, {batch, channels, one}), {one, one, behind});
  const ir::ValueId sums =
      b.Slice(b.ScatterElements({zeros, indices, updates}, 2, schema::ScatterReduction::Add), 2, 0, -1);
  return b.Add(schema::ReshapeOptionsT(), {sums, b.Concat({batch, channels, image_size}, 0)});
}

// The blocks along one dimension.
struct Axis : BlockAxis {
  int64_t image = 0, positions = 0;
};

constexpr size_t kMaxAxes = kMaxRank - 2;  // the image has a batch and channels too
constexpr int64_t kMaxElements = int64_t{1} << 24;
// Where sizes are computed, the offset of each element of a block along each axis becomes a constant.
constexpr int64_t kMaxInBlock = int64_t{1} << 20;

Status ReadBlocks(NodeContext& c, std::vector<Axis>* axes) {
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
    Axis a;
    static_cast<BlockAxis&>(a) = {block[i], dilations[i], pads[i], pads[n + i], strides[i]};
    if (a.block < 1 || a.dilation < 1 || a.stride < 1 || a.pad < 0 || a.pad_end < 0)
      return Invalid("dimension {}: a size of the block, dilation or stride below 1, or a negative pad", i);
    axes->push_back(a);
  }
  return Status();
}

Status SetImage(const std::vector<int64_t>& image, std::vector<Axis>* axes) {
  if (image.size() != axes->size())
    return Invalid("image_shape has {} dimensions, the blocks have {}", image.size(), axes->size());
  for (size_t i = 0; i < image.size(); ++i) {
    Axis& a = (*axes)[i];
    MICRORT_RETURN_IF_ERROR(ToInt32(image[i], "size").status());
    a.image = image[i];
    const int64_t room = a.image - a.least_image();
    if (a.image < 1 || room < 0)
      return Invalid("blocks of {} do not fit dimension {} of the image", a.block, i);
    a.positions = room / a.stride + 1;
  }
  return Status();
}

// The product of a field; -1 if it is too large to be worth it.
int64_t Product(const std::vector<Axis>& axes, int64_t Axis::*field) {
  int64_t product = 1;
  for (const Axis& a : axes) {
    product *= a.*field;
    if (product > kMaxElements) return -1;
  }
  return product;
}

// Counts through `sizes`, the last one fastest.
void Next(const std::vector<Axis>& axes, int64_t Axis::*sizes, std::vector<int64_t>* at) {
  for (size_t i = axes.size(); i-- > 0;) {
    if (++(*at)[i] < axes[i].*sizes) return;
    (*at)[i] = 0;
  }
}

// Places in the image, one for each element of a block (slow) and each block (fast); `outside` for the
// padding.
std::vector<int64_t> Places(const std::vector<Axis>& axes, int64_t elements, int64_t blocks,
                            int64_t outside) {
  std::vector<int64_t> places;
  places.reserve(static_cast<size_t>(elements * blocks));
  std::vector<int64_t> element(axes.size(), 0), block(axes.size(), 0);
  for (int64_t e = 0; e < elements; ++e, Next(axes, &Axis::block, &element)) {
    for (int64_t b = 0; b < blocks; ++b, Next(axes, &Axis::positions, &block)) {
      int64_t place = 0;
      for (size_t i = 0; i < axes.size() && place != outside; ++i) {
        const Axis& a = axes[i];
        const int64_t at = block[i] * a.stride + element[i] * a.dilation - a.pad;
        place = at < 0 || at >= a.image ? outside : place * a.image + at;
      }
      places.push_back(place);
    }
  }
  return places;
}

// An image or columns of any size.
Status ImportComputed(NodeContext& c, const std::vector<Axis>& axes, int64_t elements) {
  if (elements > kMaxInBlock)
    return Unsupported("blocks of {} elements, at most {} are possible", elements, kMaxInBlock);
  const std::vector<int64_t>& dims = c.x().shape;
  if (dims.size() != 3 || (dims[1] != ir::kDynamic && (dims[1] < 1 || dims[1] % elements != 0)))
    return Invalid("expected [N, C * {}, columns]", elements);
  const ir::Value& image = c.x(1);
  if (image.dtype != DType::kInt64 || image.rank() != 1 ||
      (image.is_static() && image.elements() != static_cast<int64_t>(axes.size())))
    return Invalid("image_shape: expected {} int64, one for each dimension of the block", axes.size());
  const std::vector<BlockAxis> blocks(axes.begin(), axes.end());
  return c.Return(AddUpBlocks(c.build, c.input(0), c.input(1), blocks, c.Scalar(c.x().dtype, 0)));
}

Status ImportCol2Im(NodeContext& c) {
  std::vector<Axis> axes;
  std::vector<int64_t> size;
  MICRORT_RETURN_IF_ERROR(ReadBlocks(c, &axes));
  const bool is_known = ir::IntegersOf(c.x(1), &size);
  if (is_known) MICRORT_RETURN_IF_ERROR(SetImage(size, &axes));
  const int64_t image = Product(axes, &Axis::image), elements = Product(axes, &Axis::block);
  const int64_t blocks = Product(axes, &Axis::positions);
  const std::vector<int64_t>& dims = c.x().shape;
  if (elements > 0 && (!is_known || (dims.size() == 3 && dims[1] == ir::kDynamic)))
    return ImportComputed(c, axes, elements);
  if (image < 0 || elements < 0 || blocks < 0 || elements * blocks > kMaxElements)
    return Unsupported("more than {} elements", kMaxElements);
  if (dims.size() != 3 || dims[1] < 1 || dims[1] % elements != 0 ||
      (dims[2] != ir::kDynamic && dims[2] != blocks)) {
    return Invalid("expected [N, C * {}, {}]", elements, blocks);
  }
  MICRORT_ASSIGN_OR_RETURN(const int32_t channels, ToInt32(dims[1] / elements, "channels"));
  MICRORT_ASSIGN_OR_RETURN(const int32_t columns, ToInt32(elements * blocks, "elements"));
  const ir::ValueId updates = c.build.Reshape(c.input(0), {CopyDim(0), channels, columns});
  const ir::ValueId batch = c.build.SizesOf(c.input(0), 0, 1);
  const auto spread = [&](ir::ValueId x, int64_t last) {
    const ir::ValueId shape = c.build.Concat({batch, c.build.Integers({channels, last})}, 0);
    return c.build.Expand({x, shape});
  };
  const std::vector<int64_t> places = Places(axes, elements, blocks, image);
  const ir::ValueId indices = spread(c.build.Constant({1, 1, columns}, places), columns);
  const ir::ValueId zeros = spread(c.Scalar(c.x().dtype, 0), image + 1);
  const ir::ValueId sums =
      c.build.ScatterElements({zeros, indices, updates}, 2, schema::ScatterReduction::Add);
  std::vector<int32_t> shape = {CopyDim(0), channels};
  for (const Axis& a : axes) shape.push_back(static_cast<int32_t>(a.image));
  return c.Return(c.build.Reshape(c.build.Slice(sums, 2, 0, image), shape));
}

}  // namespace

const ImporterList Col2ImImporters = {
    {"Col2Im", 3, 3, ImportCol2Im, Types(kNumbers).Since(18).Without("a block_shape that is not constant")},
};

}  // namespace micrort::frontend::onnx
