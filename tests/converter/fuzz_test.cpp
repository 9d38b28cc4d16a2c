// A real network with flipped bits, as ONNX and as a model file: converting, loading and running may fail,
// but never crash or hang. Run with the sanitizers too.

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
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

// Where the bytes are that are no weights: most of a network are, and a flip in them only changes a number.
std::vector<size_t> Structure(const std::vector<uint8_t>& source) {
  constexpr size_t kLarge = 64;
  std::vector<bool> is_weight(source.size(), false);
  ::onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromArray(source.data(), static_cast<int>(source.size())));
  for (const ::onnx::TensorProto& tensor : model.graph().initializer()) {
    const std::string& data = tensor.raw_data();
    if (data.size() < kLarge) continue;
    const auto begin = std::search(source.begin(), source.end(), data.begin(), data.end(),
                                   [](uint8_t a, char b) { return a == static_cast<uint8_t>(b); });
    std::fill_n(is_weight.begin() + (begin - source.begin()), data.size(), true);
  }
  std::vector<size_t> places;
  for (size_t i = 0; i < source.size(); ++i) {
    if (!is_weight[i]) places.push_back(i);
  }
  return places;
}

template <typename Bytes>
void FlipBit(std::mt19937* random, size_t at, Bytes* bytes) {
  (*bytes)[at] = static_cast<uint8_t>((*bytes)[at] ^ (1u << ((*random)() % 8)));
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
  const std::vector<size_t> structure = Structure(source);
  EXPECT_LT(structure.size(), source.size() / 4);
  std::mt19937 random(1);
  int converted = 0, refused = 0;
  for (int i = 0; i < kRounds; ++i) {
    std::vector<uint8_t> flipped = source;
    for (size_t flips = 1 + random() % 3; flips > 0; --flips) {
      const bool anywhere = random() % 8 == 0;
      FlipBit(&random, anywhere ? random() % source.size() : structure[random() % structure.size()],
              &flipped);
    }
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
      for (size_t flips = 1 + random() % 3; flips > 0; --flips)
        FlipBit(&random, random() % flipped.size(), &flipped);
      LoadAndRun(flipped);
    }
  }
}

}  // namespace
}  // namespace micrort
