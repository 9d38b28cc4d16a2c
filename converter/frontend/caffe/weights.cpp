#include "converter/frontend/caffe/weights.h"

#include <google/protobuf/stubs/logging.h>

#include <cstring>
#include <limits>

#include "converter/frontend/common/errors.h"
#include "kernels/base/half.h"

namespace micrort::frontend::caffe {

namespace {

using ::caffe::BlobProto;

// The bytes of an element of raw data; 0 for types that weights cannot have.
size_t RawBytes(BlobProto::RawType type) {
  if (type == BlobProto::DOUBLE) return sizeof(double);
  if (type == BlobProto::FLOAT) return sizeof(float);
  return type == BlobProto::FLOAT16 ? sizeof(uint16_t) : 0;
}

size_t ElementsIn(const BlobProto& blob) {
  const size_t raw = RawBytes(blob.raw_data_type());
  if (blob.has_raw_data())
    return raw == 0 || blob.raw_data().size() % raw != 0 ? 0 : blob.raw_data().size() / raw;
  return static_cast<size_t>(blob.double_data_size() > 0 ? blob.double_data_size() : blob.data_size());
}

template <typename T>
T RawElement(const std::string& bytes, size_t i) {
  T v;
  std::memcpy(&v, bytes.data() + i * sizeof v, sizeof v);
  return v;
}

float RawAsFloat(const BlobProto& blob, size_t i) {
  if (blob.raw_data_type() == BlobProto::FLOAT16)
    return HalfToFloat(RawElement<uint16_t>(blob.raw_data(), i));
  if (blob.raw_data_type() == BlobProto::FLOAT) return RawElement<float>(blob.raw_data(), i);
  return static_cast<float>(RawElement<double>(blob.raw_data(), i));
}

// Caffe writes no shape for a scalar.
std::vector<int64_t> DeclaredShape(const ::caffe::BlobProto& blob) {
  if (blob.has_num() || blob.has_channels() || blob.has_height() || blob.has_width())
    return {blob.num(), blob.channels(), blob.height(), blob.width()};
  return {blob.shape().dim().begin(), blob.shape().dim().end()};
}

}  // namespace

Status NetWeights::Read(Span<const uint8_t> bytes) {
  const google::protobuf::LogSilencer our_own_messages_are_enough;
  const bool fits = bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max());
  if (!fits || !file_.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return Invalid("not a .caffemodel, or cut short: protobuf cannot parse its {} bytes", bytes.size());
  int64_t place = 0;
  for (const auto& layer : file_.layer()) Add(layer.name(), layer.blobs(), place++);
  for (const auto& layer : file_.layers()) {
    if (layer.has_layer()) Add(layer.layer().name(), layer.layer().blobs(), place++);
    if (!layer.has_layer()) Add(layer.name(), layer.blobs(), place++);
  }
  return empty() ? Invalid("the file holds no layer with weights") : Status();
}

void NetWeights::Take(const ::caffe::NetParameter& net) {
  for (const auto& layer : net.layer()) Add(layer.name(), layer.blobs(), kInNet);
}

// Where layers share a name, Caffe takes the blobs of the last one.
void NetWeights::Add(const std::string& layer, const BlobList& blobs, int64_t place) {
  if (!blobs.empty()) by_layer_[layer] = {&blobs, place};
}

// As in Caffe: the first layer of the network owns what is shared, and what a file has for any of the layers
// is written over it, in the order of the file.
void NetWeights::Share(const ::caffe::LayerParameter& layer) {
  const auto found = by_layer_.find(layer.name());
  for (int i = 0; i < layer.param_size(); ++i) {
    if (layer.param(i).name().empty()) continue;
    const auto [shared, is_owner] = shared_.emplace(layer.param(i).name(), SharedBlob());
    if (found == by_layer_.end() || i >= found->second.blobs->size()) continue;
    const int64_t place = found->second.place;
    if (is_owner || place > shared->second.place) shared->second = {&found->second.blobs->Get(i), place};
  }
}

// Layers of which the file says nothing may share all of their blobs.
Blobs NetWeights::Find(const ::caffe::LayerParameter& layer) const {
  Blobs blobs;
  const auto found = by_layer_.find(layer.name());
  const bool has_own = found != by_layer_.end();
  if (has_own) {
    for (const auto& blob : *found->second.blobs) blobs.push_back(&blob);
  }
  for (int i = 0; i < layer.param_size(); ++i) {
    const auto shared = shared_.find(layer.param(i).name());
    if (shared == shared_.end() || shared->second.blob == nullptr) continue;
    const auto at = static_cast<size_t>(i);
    if (!has_own && at == blobs.size()) blobs.push_back(nullptr);
    if (at < blobs.size()) blobs[at] = shared->second.blob;
  }
  return blobs;
}

Status BlobShapeOf(const ::caffe::BlobProto& blob, std::vector<int64_t>* shape) {
  *shape = DeclaredShape(blob);
  int64_t elements = 1;
  for (const int64_t dim : *shape) {
    if (dim < 0 || dim > std::numeric_limits<int32_t>::max())
      return Invalid("weights of shape {}", BlobShapeText(*shape));
    elements *= dim;
    if (elements > std::numeric_limits<int32_t>::max()) break;
  }
  if (blob.has_raw_data() && RawBytes(blob.raw_data_type()) == 0)
    return Unsupported("weights of type {}", BlobProto::RawType_Name(blob.raw_data_type()));
  if (static_cast<size_t>(elements) != ElementsIn(blob))
    return Invalid("weights of shape {} have {} elements", BlobShapeText(*shape), ElementsIn(blob));
  return Status();
}

std::vector<float> BlobElements(const ::caffe::BlobProto& blob) {
  std::vector<float> elements;
  elements.reserve(ElementsIn(blob));
  if (blob.has_raw_data()) {
    for (size_t i = 0; i < ElementsIn(blob); ++i) elements.push_back(RawAsFloat(blob, i));
  } else if (blob.double_data_size() > 0) {
    for (const double v : blob.double_data()) elements.push_back(static_cast<float>(v));
  } else {
    elements.assign(blob.data().begin(), blob.data().end());
  }
  return elements;
}

std::string BlobShapeText(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t dim : shape) text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text.empty() ? "scalar" : text;
}

}  // namespace micrort::frontend::caffe
