// What counts, follows and bounds, without a server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "serve/grpc/http2_guard.h"
#include "serve/http/peer_limits.h"
#include "serve/protocol/byte_budget.h"
#include "serve/protocol/json_read.h"
#include "serve/protocol/json_size.h"
#include "serve/protocol/v2_json.h"
#include "serve/scheduler/sequence_store.h"
#include "serve/service/freed_memory.h"
#include "tests/serve/raw_client.h"

namespace micrort::serve {
namespace {

using test::Http2Frame;
using test::Http2Preface;
using Verdict = Http2Guard::Verdict;

TEST(ByteBudget, GivesUntilItIsTakenAndBackAtTheEnd) {
  ByteBudget budget(8 * ByteBudget::kSmall);
  ByteBudget::Share first;
  EXPECT_EQ(budget.Take(9 * ByteBudget::kSmall, &first).kind(), ErrorKind::kTooLarge);
  EXPECT_TRUE(budget.Take(7 * ByteBudget::kSmall, &first).ok());
  {
    ByteBudget::Share large, small;
    EXPECT_EQ(budget.Take(ByteBudget::kSmall + 1, &large).kind(), ErrorKind::kUnavailable);
    EXPECT_TRUE(budget.Take(ByteBudget::kSmall, &small).ok());
    const ByteBudget::Share moved = std::move(small);
    EXPECT_EQ(budget.taken(), 8 * ByteBudget::kSmall);
  }
  EXPECT_EQ(budget.taken(), 7 * ByteBudget::kSmall);
  first.Release();
  EXPECT_EQ(budget.taken(), 0u);
}

TEST(PeerLimits, CountAllAndEach) {
  PeerLimits limits(3, 2);
  EXPECT_EQ(limits.Enter("a"), PeerLimits::Room::kYes);
  EXPECT_EQ(limits.Enter("a"), PeerLimits::Room::kYes);
  EXPECT_EQ(limits.Enter("a"), PeerLimits::Room::kPeerHasTooMany);
  EXPECT_EQ(limits.Enter("b"), PeerLimits::Room::kYes);
  EXPECT_EQ(limits.Enter("c"), PeerLimits::Room::kTooMany);
  limits.Leave("a");
  EXPECT_EQ(limits.Enter("c"), PeerLimits::Room::kYes);
}

TEST(SequenceStore, GivesUpWhatIsIdleAndNothingElse) {
  SequenceStore store(2, 100, 1000);
  const Clock::time_point begin = Clock::now();
  const auto at = [&](int64_t us) { return begin + std::chrono::microseconds(us); };
  ASSERT_NE(store.Keep(1, 4, at(0)), nullptr);
  ASSERT_NE(store.Keep(2, 4, at(500)), nullptr);
  EXPECT_EQ(store.Keep(3, 4, at(600)), nullptr);
  ASSERT_NE(store.Keep(1, 4, at(900)), nullptr);  // used again
  EXPECT_EQ(store.Find(2, at(1600)), nullptr);
  EXPECT_NE(store.Find(1, at(1600)), nullptr);
  ASSERT_NE(store.Keep(3, 4, at(1700)), nullptr);
  store.End(3);
  EXPECT_EQ(store.size(), 1u);
}

TEST(SequenceStore, HasRoomForSoManyBytesOfAllSequences) {
  SequenceStore store(10, 100, 1000);
  const Clock::time_point now = Clock::now();
  ASSERT_NE(store.Keep(1, 60, now), nullptr);
  EXPECT_EQ(store.Keep(2, 41, now), nullptr);
  ASSERT_NE(store.Keep(2, 40, now), nullptr);
  EXPECT_EQ(store.Keep(1, 61, now), nullptr);  // it grows
  EXPECT_EQ(store.Find(1, now)->size(), 60u);
  ASSERT_NE(store.Keep(1, 10, now), nullptr);
  ASSERT_NE(store.Keep(3, 50, now), nullptr);
  store.End(3);
  EXPECT_NE(store.Keep(1, 60, now), nullptr);
  EXPECT_EQ(store.Keep(4, SIZE_MAX, now), nullptr);
}

// Of what the library takes, counted by the allocator.
TEST(JsonSize, IsNoLessThanADocumentTakes) {
  for (const std::string element : {"{},", "[[]],", "[],", "1,", "1.5,", "\"a\",", "\"\",", "{\"a\":1},",
                                    "{\"a\":{\"b\":[1,[2]]}},", "null,"}) {
    std::string text = "{\"x\":[";
    for (int i = 0; i < 50000; ++i) text += element;
    text += "1]}";
    const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    JsonDocument document;
    ASSERT_TRUE(document.Parse(text.data(), text.size()).ok());
    const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    EXPECT_LE(after - before, JsonDocumentBytes(text.data(), text.size())) << element;
  }
  const std::string long_text = "{\"" + std::string(100000, '[') + "\":\"" + std::string(100000, ',') + "\"}";
  EXPECT_LT(JsonDocumentBytes(long_text.data(), long_text.size()), 3 * long_text.size());
}

TEST(JsonSize, IsNoLessThanATextTakes) {
  for (const DType dtype : {DType::kBool, DType::kInt8, DType::kInt16, DType::kUInt32, DType::kInt64,
                            DType::kFloat32, DType::kFloat64}) {
    InferResponse response;
    Tensor& tensor = response.outputs.emplace_back();
    tensor.name = "y\x01";
    tensor.dtype = dtype;
    tensor.shape = {100, 5};
    tensor.Own(500 * SizeOf(dtype));
    for (size_t i = 0; i < tensor.owned.size(); ++i) tensor.owned[i] = static_cast<uint8_t>(0x80 + i % 37);
    V2Body body;
    ASSERT_TRUE(FormatV2Response({}, response, &body).ok());
    EXPECT_LE(body.bytes.size(), JsonTextBytes(InferRequest(), response));
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Blocks of a heap, of which the last one keeps it where it is.
std::vector<std::unique_ptr<char[]>> ManyBlocks(size_t bytes) {
  constexpr size_t kBlock = 32 << 10;
  std::vector<std::unique_ptr<char[]>> blocks(bytes / kBlock);
  for (auto& block : blocks) std::memset((block = std::make_unique<char[]>(kBlock)).get(), 1, kBlock);
  return blocks;
}

TEST(FreedMemory, ComesBackFromBelowTheLastBlock) {
  constexpr size_t kMany = 256 << 20;
  FreedMemory freed;
  FreedMemory::Clock::time_point now = FreedMemory::Clock::now();
  auto blocks = ManyBlocks(kMany);
  // It has grown, and all of it is needed.
  freed.GiveBackIfWorthIt(now);
  const uint64_t used = ResidentBytes();
  blocks.erase(blocks.begin(), blocks.end() - 1);
  EXPECT_FALSE(freed.GiveBackIfWorthIt(now));
  now += std::chrono::seconds(2);
  EXPECT_TRUE(freed.GiveBackIfWorthIt(now));
  EXPECT_LT(ResidentBytes() + kMany / 2, used);
}
#endif

// What became of `bytes`, fed in parts; `passed` is how many went on.
Verdict Feed(const std::string& bytes, size_t part, TokenBucket::Clock::time_point now, Http2Guard* guard,
             size_t* passed) {
  *passed = 0;
  while (*passed < bytes.size()) {
    size_t went = 0;
    const auto* from = reinterpret_cast<const uint8_t*>(bytes.data()) + *passed;
    const Verdict verdict = guard->Feed(from, std::min(part, bytes.size() - *passed), now, &went);
    *passed += went;
    if (verdict != Verdict::kGoOn) return verdict;
  }
  return Verdict::kGoOn;
}

TEST(Http2Guard, PassesCallsAndRefusesBlocksWithoutEnd) {
  const TokenBucket::Clock::time_point now = TokenBucket::Clock::now();
  const std::string call = Http2Preface() + Http2Frame(1, 4, 1, std::string(900, 'h')) +
                           Http2Frame(0, 1, 1, std::string(50000, 'd')) +
                           Http2Frame(1, 0, 3, std::string(500, 'h')) +
                           Http2Frame(9, 4, 3, std::string(500, 'h')) + Http2Frame(6, 0, 0, "12345678");
  std::string endless = Http2Preface() + Http2Frame(1, 0, 1, "h");
  for (int i = 0; i < 100; ++i) endless += Http2Frame(9, 0, 1, "");
  const struct {
    std::string bytes;
    Verdict verdict;
  } cases[] = {
      {call, Verdict::kGoOn},
      {"GET / HTTP/1.1\r\n", Verdict::kRefuse},
      {Http2Preface() + Http2Frame(1, 4, 1, std::string(1001, 'h')), Verdict::kRefuse},
      {Http2Preface() + Http2Frame(1, 0, 1, std::string(600, 'h')) +
           Http2Frame(9, 0, 1, std::string(600, 'h')),
       Verdict::kRefuse},
      {endless, Verdict::kRefuse},
      {Http2Preface() + Http2Frame(9, 4, 1, "h"), Verdict::kRefuse},
      {Http2Preface() + Http2Frame(1, 0, 1, "h") + Http2Frame(0, 0, 1, "d"), Verdict::kRefuse},
  };
  for (const auto& c : cases) {
    for (const size_t part : {1, 7, 100000}) {
      TokenBucket resets(1000, 1000);
      Http2Guard guard(1000, &resets);
      size_t passed = 0;
      EXPECT_EQ(Feed(c.bytes, part, now, &guard, &passed), c.verdict);
      EXPECT_TRUE(c.verdict != Verdict::kGoOn || passed == c.bytes.size());
    }
  }
}

// Calls of the odd streams from `first` on.
std::string Calls(int first, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += Http2Frame(1, 5, static_cast<uint32_t>(first + 2 * i), "h");
  return bytes;
}

TEST(Http2Guard, RefusesAClientThatBeginsCallsWithoutEnd) {
  constexpr int kMost = 2 * Http2Guard::kMaxStreams;
  const TokenBucket::Clock::time_point now = TokenBucket::Clock::now();
  const auto feed = [now](const std::string& bytes, Http2Guard* guard) {
    size_t passed = 0;
    return Feed(bytes, 1000, now, guard, &passed);
  };
  TokenBucket resets(1000, 1000);
  Http2Guard guard(1000, &resets);
  EXPECT_EQ(feed(Http2Preface() + Calls(1, kMost), &guard), Verdict::kGoOn);
  // Those that end make room: by their last data, their last fields, or a reset of either side.
  const std::string answers = Http2Frame(0, 0, 1, "d") + Http2Frame(0, 1, 1, "d") + Http2Frame(1, 5, 3, "h") +
                              Http2Frame(3, 0, 5, "....");
  for (const char& byte : answers) guard.FeedAnswers(reinterpret_cast<const uint8_t*>(&byte), 1);
  // Fields at the end of a stream, and of one that has ended, begin none.
  const std::string more = Http2Frame(3, 0, 7, "....") + Http2Frame(1, 5, 9, "h") + Calls(2 * kMost + 1, 4);
  EXPECT_EQ(feed(more, &guard), Verdict::kGoOn);
  EXPECT_EQ(feed(Calls(2 * kMost + 9, 1), &guard), Verdict::kRefuse);
}

TEST(Http2Guard, ResetsWaitForTheirTime) {
  TokenBucket resets(1000, 1000);
  Http2Guard guard(1000, &resets);
  TokenBucket::Clock::time_point now = TokenBucket::Clock::now();
  const std::string reset = Http2Frame(3, 0, 1, std::string(4, '\0'));
  std::string bytes = Http2Preface();
  for (int i = 0; i < 250; ++i) bytes += reset;
  size_t passed = 0, all = 0;
  int pauses = 0;
  while (Feed(bytes.substr(all), 1000, now, &guard, &passed) == Verdict::kPause) {
    all += passed;
    ++pauses;
    now += std::chrono::milliseconds(500);
    ASSERT_LT(pauses, 10);
  }
  EXPECT_EQ(all + passed, bytes.size());
  EXPECT_EQ(pauses, 3);  // 100, then 50 each half a second
}

}  // namespace
}  // namespace micrort::serve
