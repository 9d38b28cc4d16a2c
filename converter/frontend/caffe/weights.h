#pragma once
// Weights of layers, by the layers' names.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/caffe/caffe.pb.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend::caffe {

using BlobList = ::google::protobuf::RepeatedPtrField<::caffe::BlobProto>;
using Blobs = std::vector<const ::caffe::BlobProto*>;

class NetWeights {
 public:
  // kInvalidModel if the bytes are no .caffemodel.
  Status Read(Span<const uint8_t> bytes);
  // Those that the network's own layers hold.
  void Take(const ::caffe::NetParameter& net);

  // Tells the blobs that layers of the network share by their names (`param { name: ... }`).
  void Share(const ::caffe::LayerParameter& layer);

  // None if there are none for the layer.
  Blobs Find(const ::caffe::LayerParameter& layer) const;
  bool empty() const { return by_layer_.empty(); }

 private:
  // `place`: among the layers of the file; kInNet in the network itself.
  struct LayerBlobs {
    const BlobList* blobs;
    int64_t place;
  };
  struct SharedBlob {
    const ::caffe::BlobProto* blob = nullptr;
    int64_t place = kInNet;
  };
  static constexpr int64_t kInNet = -1;

  void Add(const std::string& layer, const BlobList& blobs, int64_t place);

  ::caffe::NetWeights file_;
  std::map<std::string, LayerBlobs> by_layer_;
  std::map<std::string, SharedBlob> shared_;  // by the name of the blob
};

// Dimensions of a blob, checked against the number of its elements.
Status BlobShapeOf(const ::caffe::BlobProto& blob, std::vector<int64_t>* shape);
std::vector<float> BlobElements(const ::caffe::BlobProto& blob);
// "1x3x3x3"
std::string BlobShapeText(const std::vector<int64_t>& shape);

}  // namespace micrort::frontend::caffe
