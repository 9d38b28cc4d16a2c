// A real network with flipped bits, as ONNX and as a model file: converting, loading and running may fail,
// but never crash or hang. Run with the sanitizers too.

#include <gtest/gtest.h>

#include <random>

#include "converter/convert.h"
#include "micrort/micrort.h"
#include "tools/io/file.h"

namespace micrort {
namespace {

// Larger ones are legal, but running them takes long.
constexpr size_t kMaxArenaBytes = 1 << 22;
constexpr int kRounds = 500;

std::vector<uint8_t> Digits() {
  std::vector<uint8_t> bytes;
  const Status status =
      io::ReadFile(MICRORT_SOURCE_FOLDER "/examples/meter_reader/meter_digits.onnx", &bytes);
  EXPECT_TRUE(status.ok()) << status.message();
  return bytes;
}

template <typename Bytes>
void FlipBits(std::mt19937* random, Bytes* bytes) {
  const size_t count = 1 + (*random)() % 3;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = (*random)() % bytes->size();
    (*bytes)[at] = static_cast<uint8_t>((*bytes)[at] ^ (1u << ((*random)() % 8)));
  }
}

void LoadAndRun(const AlignedBytes& file) {
  const auto model = Model::FromBuffer(file.data(), file.size());
  if (!model.ok()) return;
  const auto arena = Interpreter::RequiredArenaBytes(model.value());
  if (!arena.ok() || arena.value() > kMaxArenaBytes) return;
  auto interpreter = Interpreter::Create(model.value());
  if (interpreter.ok()) (void)interpreter->Run();
}

TEST(Fuzz, FlippedSourceModelsConvertOrAreRefused) {
  const std::vector<uint8_t> source = Digits();
  std::mt19937 random(1);
  int converted = 0, refused = 0;
  for (int i = 0; i < kRounds; ++i) {
    std::vector<uint8_t> flipped = source;
    FlipBits(&random, &flipped);
    ConvertResult result;
    const Status status =
        ConvertBytes("flipped.onnx", {flipped.data(), flipped.size()}, ConvertOptions(), &result);
    ++(status.ok() ? converted : refused);
    if (status.ok()) {
      LoadAndRun(result.file);
    } else {
      EXPECT_STRNE(status.message(), "");
    }
  }
  EXPECT_GT(converted, 0);
  EXPECT_GT(refused, 0);
}

TEST(Fuzz, FlippedModelFilesRunOrAreRefused) {
  const std::vector<uint8_t> source = Digits();
  std::mt19937 random(2);
  for (const QuantMode quant : {QuantMode::kNone, QuantMode::kInt8}) {
    ConvertOptions options;
    options.quant = quant;
    ConvertResult result;
    ASSERT_TRUE(ConvertBytes("digits.onnx", {source.data(), source.size()}, options, &result).ok());
    for (int i = 0; i < kRounds; ++i) {
      AlignedBytes flipped = result.file;
      FlipBits(&random, &flipped);
      LoadAndRun(flipped);
    }
  }
}

}  // namespace
}  // namespace micrort
