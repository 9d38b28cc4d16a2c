#include "converter/frontend/caffe/upgrade.h"

#include <map>
#include <string>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/text.h"

namespace micrort::frontend::caffe {

namespace {

using ::caffe::LayerParameter;
using ::caffe::V0LayerParameter;
using ::caffe::V1LayerParameter;
using ::google::protobuf::FieldDescriptor;

struct TypeName {
  V1LayerParameter::LayerType type;
  const char* name;
  const char* v0;  // null: V0 had none
};

constexpr TypeName kTypes[] = {
    {V1LayerParameter::ABSVAL, "AbsVal", nullptr},
    {V1LayerParameter::ACCURACY, "Accuracy", "accuracy"},
    {V1LayerParameter::ARGMAX, "ArgMax", nullptr},
    {V1LayerParameter::BNLL, "BNLL", "bnll"},
    {V1LayerParameter::CONCAT, "Concat", "concat"},
    {V1LayerParameter::CONTRASTIVE_LOSS, "ContrastiveLoss", nullptr},
    {V1LayerParameter::CONVOLUTION, "Convolution", "conv"},
    {V1LayerParameter::DATA, "Data", "data"},
    {V1LayerParameter::DECONVOLUTION, "Deconvolution", nullptr},
    {V1LayerParameter::DROPOUT, "Dropout", "dropout"},
    {V1LayerParameter::DUMMY_DATA, "DummyData", nullptr},
    {V1LayerParameter::ELTWISE, "Eltwise", nullptr},
    {V1LayerParameter::EUCLIDEAN_LOSS, "EuclideanLoss", "euclidean_loss"},
    {V1LayerParameter::EXP, "Exp", nullptr},
    {V1LayerParameter::FLATTEN, "Flatten", "flatten"},
    {V1LayerParameter::HDF5_DATA, "HDF5Data", "hdf5_data"},
    {V1LayerParameter::HDF5_OUTPUT, "HDF5Output", "hdf5_output"},
    {V1LayerParameter::HINGE_LOSS, "HingeLoss", "hinge_loss"},
    {V1LayerParameter::IM2COL, "Im2col", "im2col"},
    {V1LayerParameter::IMAGE_DATA, "ImageData", "images"},
    {V1LayerParameter::INFOGAIN_LOSS, "InfogainLoss", "infogain_loss"},
    {V1LayerParameter::INNER_PRODUCT, "InnerProduct", "innerproduct"},
    {V1LayerParameter::LRN, "LRN", "lrn"},
    {V1LayerParameter::MEMORY_DATA, "MemoryData", nullptr},
    {V1LayerParameter::MULTINOMIAL_LOGISTIC_LOSS, "MultinomialLogisticLoss", "multinomial_logistic_loss"},
    {V1LayerParameter::MVN, "MVN", nullptr},
    {V1LayerParameter::POOLING, "Pooling", "pool"},
    {V1LayerParameter::POWER, "Power", nullptr},
    {V1LayerParameter::RELU, "ReLU", "relu"},
    {V1LayerParameter::SIGMOID, "Sigmoid", "sigmoid"},
    {V1LayerParameter::SIGMOID_CROSS_ENTROPY_LOSS, "SigmoidCrossEntropyLoss", nullptr},
    {V1LayerParameter::SILENCE, "Silence", nullptr},
    {V1LayerParameter::SLICE, "Slice", nullptr},
    {V1LayerParameter::SOFTMAX, "Softmax", "softmax"},
    {V1LayerParameter::SOFTMAX_LOSS, "SoftmaxWithLoss", "softmax_loss"},
    {V1LayerParameter::SPLIT, "Split", "split"},
    {V1LayerParameter::TANH, "TanH", "tanh"},
    {V1LayerParameter::THRESHOLD, "Threshold", nullptr},
    {V1LayerParameter::WINDOW_DATA, "WindowData", "window_data"},
};

// Fields of both forms have one name, and all parameters one type.
void MoveCommonFields(V1LayerParameter* from, LayerParameter* to) {
  const auto* old = from->GetReflection();
  const auto* now = to->GetReflection();
  std::vector<const FieldDescriptor*> set;
  old->ListFields(*from, &set);
  for (const FieldDescriptor* field : set) {
    const FieldDescriptor* same = to->GetDescriptor()->FindFieldByName(field->name());
    if (same == nullptr || field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || field->is_repeated())
      continue;
    now->MutableMessage(to, same)->CopyFrom(old->GetMessage(*from, field));
  }
  for (const std::string& name : from->param()) to->add_param()->set_name(name);
  to->mutable_blobs()->Swap(from->mutable_blobs());
  to->mutable_include()->Swap(from->mutable_include());
  to->mutable_exclude()->Swap(from->mutable_exclude());
  to->mutable_bottom()->Swap(from->mutable_bottom());
  to->mutable_top()->Swap(from->mutable_top());
}

Status UpgradeV1(V1LayerParameter* from, LayerParameter* to) {
  to->set_name(from->name());
  MoveCommonFields(from, to);
  for (const TypeName& type : kTypes) {
    if (type.type == from->type()) to->set_type(type.name);
  }
  return to->has_type() ? Status() : Invalid("layer '{}' has no type", Shown(from->name()));
}

void CopyV0Convolution(const V0LayerParameter& from, LayerParameter* to) {
  auto* conv = to->mutable_convolution_param();
  conv->set_num_output(from.num_output());
  conv->set_bias_term(from.biasterm());
  conv->set_group(from.group());
  conv->add_pad(from.pad());
  conv->add_kernel_size(from.kernelsize());
  conv->add_stride(from.stride());
}

void CopyV0Parameters(const V0LayerParameter& from, LayerParameter* to) {
  const std::string& type = to->type();
  if (type == "Convolution" || type == "Im2col") CopyV0Convolution(from, to);
  if (type == "Concat") to->mutable_concat_param()->set_concat_dim(from.concat_dim());
  if (type == "InnerProduct") {
    to->mutable_inner_product_param()->set_num_output(from.num_output());
    to->mutable_inner_product_param()->set_bias_term(from.biasterm());
  }
  if (type == "LRN") {
    auto* lrn = to->mutable_lrn_param();
    lrn->set_local_size(from.local_size());
    lrn->set_alpha(from.alpha());
    lrn->set_beta(from.beta());
    lrn->set_k(from.k());
  }
  if (type == "Pooling") {
    auto* pool = to->mutable_pooling_param();
    pool->set_pool(from.pool());
    pool->set_kernel_size(from.kernelsize());
    pool->set_stride(from.stride());
    pool->set_pad(from.pad());
  }
  if (type == "Data") {
    to->mutable_data_param()->set_batch_size(from.batchsize());
    to->mutable_transform_param()->set_crop_size(from.cropsize());
  }
}

Status UpgradeV0(V1LayerParameter* from, LayerParameter* to) {
  V0LayerParameter* old = from->mutable_layer();
  to->set_name(old->name());
  to->mutable_blobs()->Swap(old->mutable_blobs());
  to->mutable_bottom()->Swap(from->mutable_bottom());
  to->mutable_top()->Swap(from->mutable_top());
  for (const TypeName& type : kTypes) {
    if (type.v0 != nullptr && old->type() == type.v0) to->set_type(type.name);
  }
  // Padding was a layer; MergePadding does away with it.
  if (old->type() == "padding") to->set_type("Padding");
  if (!to->has_type())
    return Invalid("layer '{}' is of type '{}', which Caffe never had", Shown(old->name()),
                   Shown(old->type()));
  CopyV0Parameters(*old, to);
  if (to->type() == "Padding") CopyV0Convolution(*old, to);
  return Status();
}

// The padding of a layer of its own moves into the convolution or pooling that reads it.
Status MergePadding(::caffe::NetParameter* net) {
  std::map<std::string, const LayerParameter*> paddings;  // by their tops
  ::google::protobuf::RepeatedPtrField<LayerParameter> old;
  old.Swap(net->mutable_layer());
  for (LayerParameter& layer : old) {
    if (layer.type() == "Padding") {
      if (layer.top_size() != 1 || layer.bottom_size() != 1)
        return Invalid("layer '{}': padding has one bottom and one top", Shown(layer.name()));
      paddings[layer.top(0)] = &layer;
      continue;
    }
    for (std::string& bottom : *layer.mutable_bottom()) {
      const auto found = paddings.find(bottom);
      if (found == paddings.end()) continue;
      const auto& pads = found->second->convolution_param().pad();
      const uint32_t pad = pads.empty() ? 0 : pads[0];
      bottom = found->second->bottom(0);
      if (layer.type() == "Convolution") {
        layer.mutable_convolution_param()->clear_pad();
        layer.mutable_convolution_param()->add_pad(pad);
      } else if (layer.type() == "Pooling") {
        layer.mutable_pooling_param()->set_pad(pad);
      } else {
        return Invalid("layer '{}' reads the padding '{}', which only convolution and pooling do",
                       Shown(layer.name()), Shown(found->first));
      }
    }
    net->add_layer()->Swap(&layer);
  }
  return Status();
}

}  // namespace

Status UpgradeNet(CaffeNet* out) {
  ::caffe::NetParameter* net = &out->proto;
  if (net->layers_size() == 0) return Status();
  if (net->layer_size() != 0) return Invalid("the network has both `layer` and, as before 2014, `layers`");
  bool has_v0 = false;
  for (V1LayerParameter& old : *net->mutable_layers()) {
    has_v0 |= old.has_layer();
    MICRORT_RETURN_IF_ERROR(old.has_layer() ? UpgradeV0(&old, net->add_layer())
                                            : UpgradeV1(&old, net->add_layer()));
  }
  net->clear_layers();
  if (!has_v0) return Status();
  // The parameters of V0 that the schema does not have are about data.
  out->unknown_fields.clear();
  return MergePadding(net);
}

}  // namespace micrort::frontend::caffe
