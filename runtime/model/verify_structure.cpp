#include <algorithm>
#include <cctype>
#include <cstring>

#include "runtime/model/verify_steps.h"

namespace micrort {

namespace {

using flatbuffers::Offset;
using flatbuffers::Vector;
using flatbuffers::Verifier;

// Offsets have 31 bits. What lies behind them is no flatbuffer.
constexpr size_t kMaxFlatbufferBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
constexpr size_t kHeaderBytes = 8;    // root offset and identifier
constexpr size_t kMinTableBytes = 8;  // a table and the reference to it; so many tables a file may have
constexpr uint32_t kMaxDepth = 8;     // model, subgraph, operator, options, and some to grow

Verifier MakeVerifier(Span<const uint8_t> file) {
  Verifier::Options options;
  options.max_depth = kMaxDepth;
  options.max_tables = static_cast<uint32_t>(file.size() / kMinTableBytes);
  return Verifier(file.data(), file.size(), options);
}

// The list in one field of a table, null if it is absent. False if it reaches out of the file.
template <typename T>
bool ListField(Verifier& verifier, const void* object, flatbuffers::voffset_t field, const Vector<T>** list) {
  const auto* table = static_cast<const flatbuffers::Table*>(object);
  if (!table->VerifyTableStart(verifier) || !table->VerifyOffset(verifier, field)) return false;
  *list = table->GetPointer<const Vector<T>*>(field);
  return verifier.VerifyVector(*list) && verifier.EndTable();
}

// The generated code looks at every string of a list each time that a table names the list, and does not
// count them: quadratic time for many tensors that share one long list. This goes down to the lengths of
// these lists first.
bool DimNamesAreShort(Span<const uint8_t> file) {
  Verifier verifier = MakeVerifier(file);
  const uint32_t root = verifier.VerifyOffset(0);
  const Vector<Offset<schema::Subgraph>>* subgraphs = nullptr;
  if (root == 0 || !ListField(verifier, file.data() + root, schema::Model::VT_SUBGRAPHS, &subgraphs)) {
    return false;
  }
  for (uint32_t s = 0; s < Count(subgraphs); ++s) {
    const Vector<Offset<schema::Tensor>>* tensors = nullptr;
    if (!ListField(verifier, subgraphs->Get(s), schema::Subgraph::VT_TENSORS, &tensors)) return false;
    for (uint32_t t = 0; t < Count(tensors); ++t) {
      const Vector<Offset<flatbuffers::String>>* names = nullptr;
      if (!ListField(verifier, tensors->Get(t), schema::Tensor::VT_DIM_NAMES, &names)) return false;
      if (Count(names) > kMaxRank) return false;
    }
  }
  return true;
}

}  // namespace

Status VerifyHeader(Span<const uint8_t> file) {
  if (reinterpret_cast<uintptr_t>(file.data()) % kAlignment != 0) {
    return MICRORT_ERROR(kInvalidArgument, "expected the model's buffer aligned to %zu bytes", kAlignment);
  }
  if (file.size() < kHeaderBytes) {
    return MICRORT_ERROR(kInvalidModel, "expected a MicroRT model, found a file of %zu bytes", file.size());
  }
  if (std::memcmp(file.data(), "MCRTSEAL", 8) == 0) {
    return MICRORT_ERROR(kInvalidModel, "the model is sealed: micrort_unseal (micrort/sealed.h) opens it");
  }
  if (!schema::ModelBufferHasIdentifier(file.data())) {
    char found[5] = {};
    for (int i = 0; i < 4; ++i) {
      const unsigned char c = file[4 + static_cast<size_t>(i)];
      found[i] = std::isprint(c) != 0 ? static_cast<char>(c) : '.';
    }
    return MICRORT_ERROR(kInvalidModel, "not a MicroRT model: expected file identifier '%s', found '%s'",
                         schema::ModelIdentifier(), found);
  }
  return Status();
}

Status VerifyStructure(Span<const uint8_t> file) {
  MICRORT_RETURN_IF_ERROR(VerifyHeader(file));
  file = {file.data(), std::min(file.size(), kMaxFlatbufferBytes)};
  Verifier verifier = MakeVerifier(file);
  if (!DimNamesAreShort(file) || !schema::VerifyModelBuffer(verifier)) {
    return MICRORT_ERROR(
        kInvalidModel,
        "the file is damaged: an offset or a length is wrong, or it is cut off; copy it again");
  }
  return Status();
}

}  // namespace micrort
