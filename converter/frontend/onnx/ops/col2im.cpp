// Col2Im: columns of blocks added up where the blocks lie in the image. Where each element goes follows from
// the sizes alone, so a ScatterElements with constant indices does it; what falls into the padding goes to
// one more place behind the image.

#include <numeric>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

// The blocks along one dimension.
struct Axis {
  int64_t image = 0, block = 0, dilation = 1, pad = 0, stride = 1;
  int64_t positions = 0;
};

constexpr int64_t kMaxElements = int64_t{1} << 26;

Status ReadAxes(NodeContext& c, std::vector<Axis>* axes) {
  std::vector<int64_t> image, block;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &image));
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(2, &block));
  const size_t n = image.size();
  const std::vector<int64_t> ones(n, 1);
  const std::vector<int64_t> dilations = c.Ints("dilations", ones), strides = c.Ints("strides", ones);
  const std::vector<int64_t> pads = c.Ints("pads", std::vector<int64_t>(2 * n, 0));
  if (n == 0 || block.size() != n || dilations.size() != n || strides.size() != n || pads.size() != 2 * n) {
    return MICRORT_ERROR(kInvalidModel, "block_shape, dilations, pads or strides do not fit %zu dimensions",
                         n);
  }
  for (size_t i = 0; i < n; ++i) {
    int32_t checked = 0;
    for (int64_t v : {image[i], block[i], dilations[i], strides[i], pads[i], pads[n + i]})
      MICRORT_RETURN_IF_ERROR(ToInt32(v, "size", &checked));
    Axis a = {image[i], block[i], dilations[i], pads[i], strides[i], 0};
    const int64_t room = a.image + pads[i] + pads[n + i] - (a.dilation * (a.block - 1) + 1);
    if (a.image < 1 || a.block < 1 || a.dilation < 1 || a.stride < 1 || pads[i] < 0 || pads[n + i] < 0 ||
        room < 0) {
      return MICRORT_ERROR(kInvalidModel, "blocks of %lld do not fit dimension %zu of the image",
                           static_cast<long long>(a.block), i);
    }
    a.positions = room / a.stride + 1;
    axes->push_back(a);
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

Status ImportCol2Im(NodeContext& c) {
  std::vector<Axis> axes;
  MICRORT_RETURN_IF_ERROR(ReadAxes(c, &axes));
  const int64_t image = Product(axes, &Axis::image), elements = Product(axes, &Axis::block);
  const int64_t blocks = Product(axes, &Axis::positions);
  if (image < 0 || elements < 0 || blocks < 0 || elements * blocks > kMaxElements) {
    return MICRORT_ERROR(kUnsupported, "more than %lld elements", static_cast<long long>(kMaxElements));
  }
  const std::vector<int64_t>& dims = c.x().shape;
  if (dims.size() != 3 || dims[1] < 1 || dims[1] % elements != 0 ||
      (dims[2] != ir::kDynamic && dims[2] != blocks)) {
    return MICRORT_ERROR(kInvalidModel, "expected [N, C * %lld, %lld]", static_cast<long long>(elements),
                         static_cast<long long>(blocks));
  }
  int32_t channels = 0, columns = 0;
  MICRORT_RETURN_IF_ERROR(ToInt32(dims[1] / elements, "channels", &channels));
  MICRORT_RETURN_IF_ERROR(ToInt32(elements * blocks, "elements", &columns));
  const ir::ValueId updates = c.build.Reshape(c.input(0), {CopyDim(0), channels, columns});
  const ir::ValueId batch = c.build.Slice(c.build.ShapeOf(c.input(0)), 0, 0, 1);
  const auto spread = [&](ir::ValueId x, int64_t last) {
    const ir::ValueId shape = c.build.Concat({batch, c.build.Integers({channels, last})}, 0);
    return c.build.Add(schema::ExpandOptionsT(), {x, shape});
  };
  const std::vector<int64_t> places = Places(axes, elements, blocks, image);
  const ir::ValueId indices = spread(c.build.Constant({1, 1, columns}, places), columns);
  const ir::ValueId zeros = spread(c.Scalar(c.x().dtype, 0), image + 1);
  schema::ScatterElementsOptionsT scatter;
  scatter.axis = 2;
  scatter.reduction = schema::ScatterReduction::Add;
  const ir::ValueId sums = c.build.Add(std::move(scatter), {zeros, indices, updates});
  std::vector<int32_t> shape = {CopyDim(0), channels};
  for (const Axis& a : axes) shape.push_back(static_cast<int32_t>(a.image));
  return c.Return(c.build.Reshape(c.build.Slice(sums, 2, 0, image), shape));
}

}  // namespace

Span<const OpImporter> Col2ImImporters() {
  static constexpr OpImporter kImporters[] = {
      {"Col2Im", 3, 3, ImportCol2Im, Types(kNumbers).Since(18).Without("shapes that are not constant")},
  };
  return kImporters;
}

}  // namespace micrort::frontend::onnx
