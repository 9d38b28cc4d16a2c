#pragma once
// The values of a SavedModel's variables: an index (variables.index) and shards of data
// (variables.data-00000-of-00001 ...), as core/util/tensor_bundle of TensorFlow writes them.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/tensorflow/tensor_reader.h"
#include "kernels/base/platform/mapped_file.h"

namespace micrort::frontend::tensorflow {

class Checkpoint {
 public:
  // `prefix` is the path without ".index". Shards are mapped when a variable of theirs is read.
  Status Open(const std::string& prefix);
  bool is_open() const { return !prefix_.empty(); }

  // Objects may have variables of one name, each with a handle of its own in the graph: gives these handles
  // names of their own, by which Read() finds the variables.
  void TellApart(::tensorflow::GraphDef* graph);

  // The variable's value, by the name that the graph has for it. kInvalidModel if there is none, its bytes
  // lie outside of the file or have another checksum; kUnsupported if it is partitioned, or one of several of
  // its name.
  Status Read(const std::string& variable, ConstantTensor* out);

  // kInvalidModel if the checkpoint's value for the handle's variable is of another type or shape than the
  // handle declares. What has no value is told when it is read.
  Status CheckHandle(const std::string& variable, const ::tensorflow::NodeDef& handle) const;

 private:
  using Keys = std::vector<std::string>;

  void NameHandles(const std::string& variable, const Keys& keys,
                   const std::vector<::tensorflow::NodeDef*>& handles);
  Status EntryOf(const std::string& variable, ::tensorflow::BundleEntryProto* entry) const;
  Status ReadObjectGraph(const std::string& entry);
  Status BytesAt(const ::tensorflow::BundleEntryProto& entry, Span<const uint8_t>* bytes);
  Result<const MappedFile*> OpenShard(int32_t shard);

  std::string prefix_;
  int32_t shards_ = 0;
  std::map<std::string, std::string> entries_;  // BundleEntryProto by key
  std::map<std::string, Keys>
      keys_;  // by the name of the variables, where that is not the key; objects' order
  std::map<int32_t, std::unique_ptr<MappedFile>> files_;
};

}  // namespace micrort::frontend::tensorflow
