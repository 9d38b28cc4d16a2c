#pragma once
// Unigram models: of all ways to cut a text into pieces, the one with the greatest sum of scores.

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/unicode/utf8.h"
#include "text/vocabulary/prefix_table.h"

namespace micrort::text {

// A piece of the way: where it ends is where the next one begins.
struct UnigramPiece {
  size_t begin, end;
  int32_t id;
};

// Sums are Real, as rounding decides between equals: float in SentencePiece, double in tokenizer.json's
// library. score(id, length) is a double. A character that no piece covers alone becomes `unknown`, at
// `unknown_score`.
template <typename Real, typename Score>
void BestPieces(std::string_view text, const PrefixTable& pieces, int32_t unknown, Real unknown_score,
                const Score& score, std::vector<UnigramPiece>* out) {
  struct Node {
    Real sum = 0;
    int32_t id = -1;
    size_t begin = 0;
    bool is_reached = false;
  };
  std::vector<Node> ends(text.size() + 1);
  for (size_t at = 0; at < text.size();) {
    const size_t character = DecodeUtf8(text, at).length;
    const Real so_far = ends[at].sum;
    bool has_character = false;
    const auto offer = [&](size_t length, int32_t id, double sum) {
      Node& node = ends[at + length];
      if (!node.is_reached || sum > node.sum) node = {static_cast<Real>(sum), id, at, true};
    };
    pieces.ForEachPrefix(text.substr(at), [&](size_t length, int32_t id) {
      offer(length, id, score(id, length) + so_far);
      has_character = has_character || length == character;
    });
    if (!has_character) offer(character, unknown, unknown_score + so_far);
    at += character;
  }
  const size_t first = out->size();
  for (size_t end = text.size(); end > 0; end = ends[end].begin)
    out->push_back({ends[end].begin, end, ends[end].id});
  std::reverse(out->begin() + static_cast<std::ptrdiff_t>(first), out->end());
}

constexpr double kUnknownPenalty = 10;

}  // namespace micrort::text
