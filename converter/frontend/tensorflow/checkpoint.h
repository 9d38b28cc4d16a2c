#pragma once
// The values of a SavedModel's variables: an index (variables.index) and shards of data
// (variables.data-00000-of-00001 ...), as core/util/tensor_bundle of TensorFlow writes them.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/tensorflow/tensor_reader.h"
#include "runtime/model/mapped_file.h"

namespace micrort::frontend::tensorflow {

class Checkpoint {
 public:
  // `prefix` is the path without ".index". Shards are mapped when a variable of theirs is read.
  Status Open(const std::string& prefix);
  bool is_open() const { return !prefix_.empty(); }

  // The variable's value, by the name that the graph has for it. kInvalidModel if there is none, or its
  // bytes lie outside of the file; kUnsupported if it is partitioned.
  Status Read(const std::string& variable, ConstantTensor* out);

 private:
  Status ReadObjectGraph(const std::string& entry);
  Status BytesAt(const ::tensorflow::BundleEntryProto& entry, Span<const uint8_t>* bytes);
  Status OpenShard(int32_t shard, const MappedFile** file);

  std::string prefix_;
  int32_t shards_ = 0;
  std::map<std::string, std::string> entries_;  // BundleEntryProto by key
  std::map<std::string, std::string> keys_;     // by the name of the variable, where that is not the key
  std::map<int32_t, std::unique_ptr<MappedFile>> files_;
};

}  // namespace micrort::frontend::tensorflow
