// Layers without bottoms that give the same at every run.

#include "converter/frontend/caffe/registry.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::caffe {

namespace {

// kInvalidModel unless the dimensions are those of a tensor of reasonable size.
Status CheckDims(const std::vector<int64_t>& dims) {
  MICRORT_RETURN_IF_ERROR(ExpectRange("dimensions", static_cast<int64_t>(dims.size()), 0, kMaxRank));
  int64_t elements = 1;
  for (const int64_t dim : dims) {
    MICRORT_RETURN_IF_ERROR(ExpectRange("dim", dim, 1, INT32_MAX));
    elements *= dim;
    MICRORT_RETURN_IF_ERROR(ExpectRange("elements", elements, 1, ir::kMaxMade));
  }
  return Status();
}

Status ImportParameter(LayerContext& c) {
  const auto& shape = c.layer.parameter_param().shape();
  const std::vector<int64_t> dims(shape.dim().begin(), shape.dim().end());
  MICRORT_RETURN_IF_ERROR(CheckDims(dims));
  return c.Return(c.Weights(0, dims));
}

Status DummyShape(const ::caffe::DummyDataParameter& p, int i, std::vector<int64_t>* dims) {
  const auto of = [i](int count) { return count == 1 ? 0 : i; };
  if (p.shape_size() > of(p.shape_size())) {
    const auto& shape = p.shape(of(p.shape_size()));
    dims->assign(shape.dim().begin(), shape.dim().end());
    return CheckDims(*dims);
  }
  const int count = p.num_size();
  if (of(count) >= count || p.channels_size() != count || p.height_size() != count || p.width_size() != count)
    return Invalid("no shape is given for top {}", i);
  *dims = {p.num(of(count)), p.channels(of(count)), p.height(of(count)), p.width(of(count))};
  return CheckDims(*dims);
}

Status DummyValue(const ::caffe::DummyDataParameter& p, int i, float* value) {
  if (p.data_filler_size() == 0) return Status();
  if (p.data_filler_size() != 1 && p.data_filler_size() <= i)
    return Invalid("no data_filler is given for top {}", i);
  const auto& filler = p.data_filler(p.data_filler_size() == 1 ? 0 : i);
  if (filler.type() != "constant") return Unsupported("random data; expected a data_filler of type constant");
  *value = filler.value();
  return Status();
}

Status ImportDummyData(LayerContext& c) {
  const auto& p = c.layer.dummy_data_param();
  int64_t total = 0;
  for (int i = 0; i < static_cast<int>(c.top_count()); ++i) {
    float value = 0;
    MICRORT_RETURN_IF_ERROR(DummyValue(p, i, &value));
    std::vector<int64_t> dims;
    MICRORT_RETURN_IF_ERROR(DummyShape(p, i, &dims));
    int64_t elements = 1;
    for (const int64_t dim : dims) elements *= dim;
    total += elements;
    MICRORT_RETURN_IF_ERROR(ExpectRange("elements of all tops", total, 1, ir::kMaxMade));
    c.SetTop(static_cast<size_t>(i),
             c.build.Constant(dims, std::vector<float>(static_cast<size_t>(elements), value)));
  }
  return Status();
}

}  // namespace

const ImporterList ConstantLayers = {
    {"DummyData", 0, 0, ImportDummyData, "random data"},
    {"Parameter", 0, 0, ImportParameter},
};

}  // namespace micrort::frontend::caffe
