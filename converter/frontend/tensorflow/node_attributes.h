#pragma once
// The attributes of one node.

#include <string>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/tensorflow/tensorflow.pb.h"
#include "kernels/base/dtype.h"
#include "kernels/base/status.h"

namespace micrort::frontend::tensorflow {

// Attributes of a function's nodes may be named ones of the call.
using AttrMap = google::protobuf::Map<std::string, ::tensorflow::AttrValue>;

class NodeAttributes {
 public:
  // call: attributes of the function call around, or null.
  NodeAttributes(const ::tensorflow::NodeDef& node, const AttrMap* call) : node_(node), call_(call) {}

  const ::tensorflow::NodeDef& node() const { return node_; }
  // `otherwise` where the node has none of that name and kind.
  const ::tensorflow::AttrValue* Find(const char* name) const;
  int64_t Int(const char* name, int64_t otherwise) const;
  float Float(const char* name, float otherwise) const;
  bool Bool(const char* name, bool otherwise) const;
  std::string String(const char* name, const char* otherwise) const;
  std::vector<int64_t> Ints(const char* name) const;
  std::vector<std::string> Strings(const char* name) const;
  // kUnsupported unless the attribute is a type that we have.
  Result<DType> Type(const char* name, DType otherwise) const;

 private:
  const ::tensorflow::NodeDef& node_;
  const AttrMap* call_;
};

}  // namespace micrort::frontend::tensorflow
