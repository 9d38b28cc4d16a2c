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

class NetWeights {
 public:
  // kInvalidModel if the bytes are no .caffemodel.
  Status Read(Span<const uint8_t> bytes);
  // Those that the network's own layers hold.
  void Take(const ::caffe::NetParameter& net);

  // Null if there are none for a layer of that name.
  const BlobList* Find(const std::string& layer) const;
  bool empty() const { return by_layer_.empty(); }

 private:
  void Add(const std::string& layer, const BlobList& blobs);

  ::caffe::NetWeights file_;
  std::map<std::string, const BlobList*> by_layer_;
};

// Dimensions of a blob, checked against the number of its elements.
Status BlobShapeOf(const ::caffe::BlobProto& blob, std::vector<int64_t>* shape);
std::vector<float> BlobElements(const ::caffe::BlobProto& blob);
// "1x3x3x3"
std::string BlobShapeText(const std::vector<int64_t>& shape);

}  // namespace micrort::frontend::caffe
