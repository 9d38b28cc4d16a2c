#include "converter/emit/file_bytes.h"

#include <algorithm>
#include <utility>

#include "runtime/model/verify.h"

namespace micrort::emit {
namespace {

constexpr size_t kPieceBytes = size_t{16} << 20;

// Calls visit(buffer, place) for each outer buffer, with where it begins in the file; returns where the last
// one ends.
template <typename Visit>
uint64_t PlaceOuter(const AlignedBytes& file, Visit visit) {
  uint64_t end = file.size();
  for (const OuterBuffer& buffer : file.outer()) {
    end = CeilDiv(end, uint64_t{kAlignment}) * kAlignment;
    visit(buffer, end);
    end += buffer.bytes->size();
  }
  return end;
}

}  // namespace

uint64_t FileBytes(const AlignedBytes& file) {
  return PlaceOuter(file, [](const OuterBuffer&, uint64_t) {});
}

Result<Model> LoadEmitted(const AlignedBytes& file) {
  if (file.outer().empty()) return Model::FromBuffer(file.data(), file.size());
  MICRORT_RETURN_IF_ERROR(VerifyModel({file.data(), file.size()}, OuterBuffers::kElsewhere).status());
  return Model::FromTrustedBuffer(file.data(), file.size());
}

FilePieces::FilePieces(const AlignedBytes& file)
    : flatbuffer_(file.data(), file.size()), outer_(file.outer()) {
  PlaceOuter(file, [&](const OuterBuffer& buffer, uint64_t place) {
    flatbuffer_.SetOffset(buffer, place - buffer.table);
  });
}

Span<const uint8_t> FilePieces::Next() {
  static constexpr uint8_t kPadding[kAlignment] = {};
  if (last_ != nullptr) std::exchange(last_, nullptr)->Release(at_ - piece_.size(), piece_.size());
  if (buffer_ < outer_.size() && at_ == outer_[buffer_].bytes->size()) ++buffer_, at_ = 0;
  const auto misplaced = static_cast<size_t>(written_ % kAlignment);
  if (written_ == 0) {
    piece_ = {flatbuffer_.data(), flatbuffer_.size()};
  } else if (buffer_ == outer_.size()) {
    piece_ = {};
  } else if (at_ == 0 && misplaced != 0) {
    piece_ = {kPadding, kAlignment - misplaced};
  } else {
    last_ = outer_[buffer_].bytes.get();
    piece_ = {last_->data() + at_, std::min(kPieceBytes, last_->size() - at_)};
    at_ += piece_.size();
  }
  written_ += piece_.size();
  return piece_;
}

}  // namespace micrort::emit
