#include "text/sentencepiece/model_file.h"

#include <cmath>

#include "text/sentencepiece/protobuf_reader.h"
#include "text/unicode/utf8.h"
#include "text/vocabulary/token_model.h"

namespace micrort::text {
namespace {

using PieceType = SentencePieceFile::PieceType;

constexpr size_t kMaxSentencePiece = 512;  // looking pieces up takes so many steps a byte of text

Status Malformed() {
  return MICRORT_ERROR(kInvalidModel, "is neither tokenizer.json nor a model of SentencePiece");
}

class FileReader {
 public:
  Result<SentencePieceFile> Read(std::string_view bytes) {
    std::vector<std::string_view> pieces;
    ProtobufReader reader(bytes);
    std::string_view trainer, normalizer;
    while (reader.Next()) {
      if (reader.field() == 1) pieces.push_back(reader.data());
      if (reader.field() == 2) trainer = reader.data();
      if (reader.field() == 3) normalizer = reader.data();
      if (reader.field() == 5) MICRORT_RETURN_IF_ERROR(CheckDenormalizer(reader.data()));
    }
    if (!reader.ok() || pieces.empty()) return Malformed();
    for (const std::string_view piece : pieces) MICRORT_RETURN_IF_ERROR(ReadPiece(piece, pieces.size()));
    MICRORT_RETURN_IF_ERROR(ReadTrainer(trainer));
    MICRORT_RETURN_IF_ERROR(ReadNormalizer(normalizer));
    MICRORT_RETURN_IF_ERROR(Check());
    return std::move(file_);
  }

 private:
  static Status CheckDenormalizer(std::string_view message) {
    ProtobufReader reader(message);
    while (reader.Next())
      if (reader.field() == 2 && !reader.data().empty())
        return MICRORT_ERROR(kUnsupported, "denormalization (denormalizer_spec) is not supported");
    return reader.ok() ? Status() : Malformed();
  }

  Status ReadPiece(std::string_view message, size_t count) {
    ProtobufReader reader(message);
    SentencePieceFile::Piece piece;
    std::string_view text;
    uint64_t type = 1;
    while (reader.Next()) {
      if (reader.field() == 1) text = reader.data();
      if (reader.field() == 2) piece.score = reader.real();
      if (reader.field() == 3) type = reader.number();
    }
    const auto id = static_cast<int32_t>(file_.pieces.size());
    const bool is_sound = reader.ok() && !text.empty() && text.size() <= kMaxSentencePiece &&
                          IsValidUtf8(text) && type >= 1 && type <= 6 && std::isfinite(piece.score);
    if (!is_sound || file_.vocabulary.Find(text) != kNoToken)
      return MICRORT_ERROR(kInvalidModel,
                           "piece %d: expected 1 to %zu bytes of UTF-8 that are no other piece, a type from "
                           "1 to 6 and a finite score",
                           id, kMaxSentencePiece);
    piece.type = static_cast<PieceType>(type);
    file_.pieces.push_back(piece);
    if (piece.type == PieceType::kUnknown) {
      if (file_.unknown != kNoToken)
        return MICRORT_ERROR(kInvalidModel, "more than one piece is the unknown one");
      file_.unknown = id;
    }
    return file_.vocabulary.Add(text, id, count);
  }

  int32_t ControlPiece(std::string_view name) const {
    const int32_t id = file_.vocabulary.Find(name);
    return file_.Is(id, PieceType::kControl) ? id : kNoToken;
  }

  Status ReadTrainer(std::string_view message) {
    ProtobufReader reader(message);
    uint64_t kind = 1;
    std::string_view begin = "<s>", end = "</s>";
    while (reader.Next()) {
      switch (reader.field()) {
        case 3:
          kind = reader.number();
          break;
        case 24:
          file_.has_space_at_end = reader.number() != 0;
          break;
        case 35:
          file_.falls_back_to_bytes = reader.number() != 0;
          break;
        case 44:
          file_.unknown_surface = reader.data();
          break;
        case 46:
          begin = reader.data();
          break;
        case 47:
          end = reader.data();
          break;
        default:
          break;
      }
    }
    if (!reader.ok() || kind < 1 || kind > 4) return Malformed();
    file_.kind = static_cast<SentencePieceFile::Kind>(kind);
    file_.begin_of_sequence = ControlPiece(begin);
    file_.end_of_sequence = ControlPiece(end);
    return Status();
  }

  Status ReadNormalizer(std::string_view message) {
    ProtobufReader reader(message);
    while (reader.Next()) {
      const bool is_set = reader.number() != 0;
      if (reader.field() == 2) file_.char_map = reader.data();
      if (reader.field() == 3) file_.adds_dummy_prefix = is_set;
      if (reader.field() == 4) file_.removes_extra_spaces = is_set;
      if (reader.field() == 5) file_.marks_spaces = is_set;
    }
    return reader.ok() ? Status() : Malformed();
  }

  Status Check() const {
    if (file_.kind == SentencePieceFile::Kind::kWord)
      return MICRORT_ERROR(kUnsupported, "models of words are not supported");
    if (file_.kind == SentencePieceFile::Kind::kChar)
      return MICRORT_ERROR(kUnsupported, "models of characters are not supported");
    if (file_.unknown == kNoToken) return MICRORT_ERROR(kInvalidModel, "no piece is the unknown one");
    if (!file_.falls_back_to_bytes) return Status();
    for (const int32_t id : ByteTokens(file_.vocabulary).ids) {
      if (!file_.Is(id, PieceType::kByte))
        return MICRORT_ERROR(kInvalidModel, "falls back to bytes, of which one has no piece");
    }
    return Status();
  }

  SentencePieceFile file_;
};

}  // namespace

Result<SentencePieceFile> ReadSentencePieceFile(std::string_view bytes) { return FileReader().Read(bytes); }

}  // namespace micrort::text
