#pragma once
// Options of custom operators: a map of TFLite's flexbuffers, or a plain struct of 32-bit numbers.

#include <flatbuffers/flexbuffers.h>

#include <memory>
#include <vector>

#include "converter/frontend/tflite/op_context.h"

namespace micrort::frontend::tflite {

// A flexbuffer in bytes of its own. A zero follows them: flexbuffers' verifier does not look for the ends of
// texts, so that in the file, reading one might go on behind the options.
class Flexbuffer {
 public:
  // False where the bytes are none.
  static bool Read(Span<const uint8_t> bytes, Flexbuffer* out);

  const flexbuffers::Reference& root() const { return root_; }

 private:
  std::shared_ptr<const std::vector<uint8_t>> bytes_;
  flexbuffers::Reference root_;
};

class CustomOptions {
 public:
  // kInvalidModel unless the operator has such a map.
  static Result<CustomOptions> Read(const OpContext& c) { return Read(c.op); }
  static Result<CustomOptions> Read(const StatedOperator& op);

  bool Has(const char* name) const { return !map_[name].IsNull(); }
  // kInvalidModel where it is absent or outside of [lowest, highest].
  Result<int64_t> Int(const char* name, int64_t lowest, int64_t highest) const;
  // Numbers of a vector, each in [lowest, highest].
  Status Ints(const char* name, int64_t lowest, int64_t highest, std::vector<int64_t>* out) const;
  bool Bool(const char* name, bool otherwise) const { return Has(name) ? map_[name].AsBool() : otherwise; }
  int64_t Int(const char* name, int64_t otherwise) const {
    return Has(name) ? map_[name].AsInt64() : otherwise;
  }
  float Float(const char* name, float otherwise) const {
    return Has(name) ? map_[name].AsFloat() : otherwise;
  }

 private:
  Flexbuffer bytes_;
  flexbuffers::Map map_ = flexbuffers::Map::EmptyMap();
};

// The first `count` numbers of options that are a plain struct; kInvalidModel where there are fewer.
Status PlainOptions(const OpContext& c, size_t count, std::vector<int32_t>* out);

}  // namespace micrort::frontend::tflite
