#include "converter/frontend/tflite/ops/custom_options.h"

#include <cstring>
#include <utility>

namespace micrort::frontend::tflite {

bool Flexbuffer::Read(Span<const uint8_t> bytes, Flexbuffer* out) {
  // With a tracker, parts that several others refer to are verified once. Depths then count each of these
  // references too.
  constexpr size_t kMaxDepth = 1 << 10;
  auto copy = std::make_shared<std::vector<uint8_t>>(bytes.begin(), bytes.end());
  copy->push_back(0);
  std::vector<uint8_t> tracker;
  flexbuffers::Verifier verifier(copy->data(), bytes.size(), &tracker, true, kMaxDepth);
  if (!verifier.VerifyBuffer()) return false;
  out->root_ = flexbuffers::GetRoot(copy->data(), bytes.size());
  out->bytes_ = std::move(copy);
  return true;
}

Result<CustomOptions> CustomOptions::Read(const StatedOperator& op) {
  CustomOptions options;
  if (!Flexbuffer::Read(op.custom_options(), &options.bytes_))
    return Invalid("its custom options are no flexbuffer");
  const flexbuffers::Reference& root = options.bytes_.root();
  if (!root.IsMap()) return Invalid("its custom options are no map");
  options.map_ = root.AsMap();
  return options;
}

Result<int64_t> CustomOptions::Int(const char* name, int64_t lowest, int64_t highest) const {
  if (!Has(name)) return Invalid("its custom options have no '{}'", name);
  const int64_t number = map_[name].AsInt64();
  if (number >= lowest && number <= highest) return number;
  return Invalid("'{}' is {}: expected {} to {}", name, number, lowest, highest);
}

Status CustomOptions::Ints(const char* name, int64_t lowest, int64_t highest,
                           std::vector<int64_t>* out) const {
  const flexbuffers::Reference list = map_[name];
  const auto add = [&](int64_t v) {
    out->push_back(v);
    return v >= lowest && v <= highest;
  };
  bool fits = true;
  if (list.IsTypedVector()) {
    const flexbuffers::TypedVector vector = list.AsTypedVector();
    for (size_t i = 0; i < vector.size(); ++i) fits &= add(vector[i].AsInt64());
  } else if (list.IsUntypedVector()) {
    const flexbuffers::Vector vector = list.AsVector();
    for (size_t i = 0; i < vector.size(); ++i) fits &= add(vector[i].AsInt64());
  } else {
    return Invalid("its custom options have no list '{}'", name);
  }
  return fits ? Status() : Invalid("'{}': expected numbers from {} to {}", name, lowest, highest);
}

Status PlainOptions(const OpContext& c, size_t count, std::vector<int32_t>* out) {
  const Span<const uint8_t> bytes = c.op.custom_options();
  out->resize(count);
  if (bytes.size() < count * sizeof(int32_t))
    return Invalid("its custom options have {} bytes, expected {}", bytes.size(), count * sizeof(int32_t));
  std::memcpy(out->data(), bytes.data(), count * sizeof(int32_t));
  return Status();
}

}  // namespace micrort::frontend::tflite
