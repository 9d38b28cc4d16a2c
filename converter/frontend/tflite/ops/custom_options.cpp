#include "converter/frontend/tflite/ops/custom_options.h"

#include <cstring>

namespace micrort::frontend::tflite {

Status CustomOptions::Read(const OpContext& c, CustomOptions* out) { return Read(c.op, out); }

Status CustomOptions::Read(const StatedOperator& op, CustomOptions* out) {
  const Span<const uint8_t> bytes = op.custom_options();
  if (bytes.empty() || !flexbuffers::VerifyBuffer(bytes.data(), bytes.size()))
    return MICRORT_ERROR(kInvalidModel, "its custom options are no flexbuffer");
  const flexbuffers::Reference root = flexbuffers::GetRoot(bytes.data(), bytes.size());
  if (!root.IsMap()) return MICRORT_ERROR(kInvalidModel, "its custom options are no map");
  out->map_ = root.AsMap();
  return Status();
}

Status CustomOptions::Int(const char* name, int64_t lowest, int64_t highest, int64_t* out) const {
  if (!Has(name)) return MICRORT_ERROR(kInvalidModel, "its custom options have no '%s'", name);
  *out = map_[name].AsInt64();
  if (*out >= lowest && *out <= highest) return Status();
  return MICRORT_ERROR(kInvalidModel, "'%s' is %lld: expected %lld to %lld", name,
                       static_cast<long long>(*out), static_cast<long long>(lowest),
                       static_cast<long long>(highest));
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
    return MICRORT_ERROR(kInvalidModel, "its custom options have no list '%s'", name);
  }
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel, "'%s': expected numbers from %lld to %lld", name,
                       static_cast<long long>(lowest), static_cast<long long>(highest));
}

Status PlainOptions(const OpContext& c, size_t count, std::vector<int32_t>* out) {
  const Span<const uint8_t> bytes = c.op.custom_options();
  out->resize(count);
  if (bytes.size() < count * sizeof(int32_t))
    return MICRORT_ERROR(kInvalidModel, "its custom options have %zu bytes, expected %zu", bytes.size(),
                         count * sizeof(int32_t));
  std::memcpy(out->data(), bytes.data(), count * sizeof(int32_t));
  return Status();
}

}  // namespace micrort::frontend::tflite
