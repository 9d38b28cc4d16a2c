#include "converter/frontend/caffe/net_inputs.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/text.h"

namespace micrort::frontend::caffe {

namespace {

using ::caffe::LayerParameter;
using Dims = std::vector<int64_t>;

Status AddInput(const std::string& name, const Dims* shape, std::vector<NetInput>* out) {
  NetInput input;
  input.name = name;
  input.has_shape = shape != nullptr;
  if (shape != nullptr) input.shape = *shape;
  for (const int64_t dim : input.shape) {
    if (dim >= 1 && dim <= std::numeric_limits<int32_t>::max()) continue;
    return Invalid("input '{}' has a dimension of {}", name, dim);
  }
  out->push_back(std::move(input));
  return Status();
}

Dims DimsOf(const ::caffe::BlobShape& shape) { return {shape.dim().begin(), shape.dim().end()}; }

// `input`, with four entries of `input_dim` or one of `input_shape` each.
Status AddNetFields(const ::caffe::NetParameter& net, std::vector<NetInput>* out) {
  const int count = net.input_size();
  const bool has_shapes = net.input_shape_size() == count;
  const bool has_dims = net.input_dim_size() == 4 * count;
  const bool has_none = net.input_shape_size() == 0 && net.input_dim_size() == 0;
  if (!has_shapes && !has_dims && !has_none)
    return Invalid("{} inputs with {} entries of input_shape and {} of input_dim", count,
                   net.input_shape_size(), net.input_dim_size());
  for (int i = 0; i < count; ++i) {
    Dims shape;
    if (has_shapes && !has_none) {
      shape = DimsOf(net.input_shape(i));
    } else if (has_dims && !has_none) {
      for (int k = 4 * i; k < 4 * (i + 1); ++k) shape.push_back(net.input_dim(k));
    }
    MICRORT_RETURN_IF_ERROR(AddInput(net.input(i), has_none ? nullptr : &shape, out));
  }
  return Status();
}

Status AddInputLayer(const LayerParameter& layer, std::vector<NetInput>* out) {
  const auto& shapes = layer.input_param().shape();
  if (shapes.size() > 1 && shapes.size() != layer.top_size())
    return Invalid("layer '{}': {} tops with {} shapes", layer.name(), layer.top_size(), shapes.size());
  for (int i = 0; i < layer.top_size(); ++i) {
    Dims shape;
    if (!shapes.empty()) shape = DimsOf(shapes.Get(shapes.size() == 1 ? 0 : i));
    MICRORT_RETURN_IF_ERROR(AddInput(layer.top(i), shapes.empty() ? nullptr : &shape, out));
  }
  return Status();
}

// False where the layer does not say how large its pictures are.
bool DataShape(const LayerParameter& layer, Dims* shape) {
  if (layer.type() == "MemoryData") {
    const auto& p = layer.memory_data_param();
    *shape = {p.batch_size(), p.channels(), p.height(), p.width()};
    return p.has_batch_size();
  }
  uint32_t batch = layer.data_param().batch_size();
  uint32_t height = layer.transform_param().crop_size();
  if (height == 0) height = layer.data_param().crop_size();
  uint32_t width = height;
  bool gray = layer.transform_param().force_gray();
  if (layer.type() == "ImageData") {
    const auto& p = layer.image_data_param();
    batch = p.batch_size();
    gray |= !p.is_color();
    if (height == 0) height = width = p.crop_size();
    if (height == 0) {
      height = p.new_height();
      width = p.new_width();
    }
  }
  *shape = {batch, gray ? 1 : 3, height, width};
  return batch != 0 && height != 0 && width != 0;
}

Status AddDataLayer(const LayerParameter& layer, const std::set<std::string>& read,
                    std::vector<NetInput>* out) {
  for (int i = 0; i < layer.top_size(); ++i) {
    Dims shape;
    const bool has_shape = DataShape(layer, &shape);
    if (i > 0 && read.count(layer.top(i)) == 0) continue;
    if (i > 0) shape.resize(1);
    MICRORT_RETURN_IF_ERROR(AddInput(layer.top(i), has_shape ? &shape : nullptr, out));
  }
  return Status();
}

// The level and the stages that rules are compared with.
struct State {
  int32_t level;
  std::set<std::string> stages;
};

bool Meets(const State& state, const ::caffe::NetStateRule& rule) {
  if (rule.has_phase() && rule.phase() != ::caffe::TEST) return false;
  if (rule.has_min_level() && state.level < rule.min_level()) return false;
  if (rule.has_max_level() && state.level > rule.max_level()) return false;
  const auto has = [&](const std::string& stage) { return state.stages.count(stage) != 0; };
  return std::all_of(rule.stage().begin(), rule.stage().end(), has) &&
         std::none_of(rule.not_stage().begin(), rule.not_stage().end(), has);
}

bool IsKept(const State& state, const ::caffe::LayerParameter& layer) {
  const auto meets = [&](const ::caffe::NetStateRule& rule) { return Meets(state, rule); };
  if (layer.include_size() > 0) return std::any_of(layer.include().begin(), layer.include().end(), meets);
  return std::none_of(layer.exclude().begin(), layer.exclude().end(), meets);
}

bool EndsWith(const std::string& s, const std::string& end) {
  return s.size() >= end.size() && s.compare(s.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Status FindNetInputs(const ::caffe::NetParameter& net, const std::vector<TestLayer>& layers,
                     const std::set<std::string>& read, std::vector<NetInput>* out) {
  MICRORT_RETURN_IF_ERROR(AddNetFields(net, out));
  for (const TestLayer& l : layers) {
    if (!ReadsData(l.layer->type())) continue;
    MICRORT_RETURN_IF_ERROR(l.layer->type() == "Input" ? AddInputLayer(*l.layer, out)
                                                       : AddDataLayer(*l.layer, read, out));
  }
  return Status();
}

Status TestLayers(const CaffeNet& net, std::vector<TestLayer>* out) {
  const auto& stages = net.proto.state().stage();
  const State state = {net.proto.state().level(), {stages.begin(), stages.end()}};
  out->reserve(static_cast<size_t>(net.proto.layer_size()));
  for (int i = 0; i < net.proto.layer_size(); ++i) {
    const ::caffe::LayerParameter& layer = net.proto.layer(i);
    if (layer.include_size() > 0 && layer.exclude_size() > 0)
      return Invalid("layer '{}' has rules of both include and exclude", Shown(layer.name()));
    const auto unknown = net.unknown_fields.find(i);
    if (!IsKept(state, layer)) continue;
    out->push_back({&layer, unknown == net.unknown_fields.end() ? "" : unknown->second});
  }
  return Status();
}

bool IsForTraining(const std::string& type) {
  return EndsWith(type, "Loss") || type == "Accuracy" || type == "DetectionEvaluate" || type == "HDF5Output";
}

bool ReadsData(const std::string& type) {
  return type == "Input" || type == "Data" || type == "ImageData" || type == "MemoryData" ||
         type == "HDF5Data" || type == "WindowData" || type == "AnnotatedData" || type == "VideoData";
}

}  // namespace micrort::frontend::caffe
