#pragma once
// What a model file of SentencePiece says (sentencepiece_model.proto).

#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/status.h"
#include "text/vocabulary/vocabulary.h"

namespace micrort::text {

struct SentencePieceFile {
  enum class Kind { kUnigram = 1, kBpe = 2, kWord = 3, kChar = 4 };
  enum class PieceType { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
  struct Piece {
    float score = 0;
    PieceType type = PieceType::kNormal;
  };

  bool Is(int32_t id, PieceType type) const {
    return vocabulary.Has(id) && pieces[static_cast<size_t>(id)].type == type;
  }

  Kind kind = Kind::kUnigram;
  std::vector<Piece> pieces;
  Vocabulary vocabulary;  // of all pieces, which are different
  int32_t unknown = kNoToken, begin_of_sequence = kNoToken, end_of_sequence = kNoToken;
  std::string unknown_surface = " \xE2\x81\x87 ";
  bool falls_back_to_bytes = false;
  bool has_space_at_end = false;  // words end with their space instead of beginning with it

  std::string char_map;
  bool adds_dummy_prefix = true, removes_extra_spaces = true, marks_spaces = true;
};

// kInvalidModel if it is malformed: no unknown piece, pieces that occur twice or are no UTF-8, scores that
// are not finite, bytes to fall back to that are missing. kUnsupported: models of words or characters,
// denormalization.
Result<SentencePieceFile> ReadSentencePieceFile(std::string_view bytes);

}  // namespace micrort::text
