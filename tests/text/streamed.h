#pragma once
// What a stream makes of tokens, piece by piece.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "micrort/text/tokenizer.h"
#include "text/unicode/utf8.h"

namespace micrort::test {

inline std::string Streamed(const text::Tokenizer& tokenizer, const std::vector<int32_t>& ids) {
  text::TextStream stream(tokenizer);
  std::string all, part;
  for (const int32_t id : ids) {
    EXPECT_TRUE(stream.Add(id, &part).ok());
    EXPECT_TRUE(text::IsValidUtf8(part));
    all += part;
  }
  EXPECT_TRUE(stream.Finish(&part).ok());
  return all + part;
}

}  // namespace micrort::test
