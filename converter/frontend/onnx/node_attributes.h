#pragma once
// The attributes of one ONNX node.

#include <onnx/onnx_pb.h>

#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

class NodeAttributes {
 public:
  explicit NodeAttributes(const ::onnx::NodeProto& proto) : proto_(proto) {}

  // One of the wrong type makes attribute_status() an error and reads as `otherwise`.
  bool Has(const char* name) const { return Find(name) != nullptr; }
  int64_t Int(const char* name, int64_t otherwise);
  // As TensorProto::DataType; kUnsupported, naming the attribute, for types that we do not have.
  Result<DType> Type(const char* name, DType otherwise);
  float Float(const char* name, float otherwise);
  std::string String(const char* name, const char* otherwise);
  std::vector<int64_t> Ints(const char* name, std::vector<int64_t> otherwise = {});
  std::vector<float> Floats(const char* name);
  std::vector<std::string> Strings(const char* name);
  const ::onnx::TensorProto* Tensor(const char* name);              // null if absent
  const ::onnx::SparseTensorProto* SparseTensor(const char* name);  // null if absent
  const ::onnx::GraphProto* Graph(const char* name);                // null if absent
  // Declares that attributes do not matter here.
  void Ignore(std::initializer_list<const char*> names);

  const Status& attribute_status() const { return attribute_status_; }
  // The first attribute that nothing asked for, so that no importer drops one silently; null if there is
  // none.
  const char* UnreadAttribute() const;

 protected:
  const ::onnx::NodeProto& proto_;

 private:
  const ::onnx::AttributeProto* Find(const char* name) const;
  const ::onnx::AttributeProto* Find(const char* name, ::onnx::AttributeProto::AttributeType type);

  std::set<std::string> read_;
  Status attribute_status_;
};

}  // namespace micrort::frontend::onnx
