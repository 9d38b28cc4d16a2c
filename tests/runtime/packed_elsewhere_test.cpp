// A file with weights that another machine has packed, beside what this one packs for the same target.
// MICRORT_PACKED_MODEL names it; tests of programs convert files on one architecture and run this on another.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <tuple>

#include "tests/runtime/packed_model.h"

namespace micrort::testing::packed_elsewhere {
namespace {

// What each operator has packed: slot, layout and bytes.
using Packed = std::vector<std::tuple<size_t, int, std::string, std::vector<uint8_t>>>;

Packed PackedOf(ModelBuilder& b) {
  Packed result;
  for (size_t i = 0; i < b.graph().operators.size(); ++i) {
    for (const auto& packed : b.graph().operators[i]->packed) {
      result.emplace_back(i, packed->slot, packed->layout, b.model.buffers[packed->buffer]->data);
    }
  }
  return result;
}

TEST(PackedElsewhere, HasTheBytesThatThisMachinePacks) {
  const char* path = std::getenv("MICRORT_PACKED_MODEL");
  if (path == nullptr) GTEST_SKIP() << "skipped: no file is named";
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  ASSERT_FALSE(bytes.empty()) << path;
  ModelBuilder b;
  schema::GetModel(bytes.data())->UnPackTo(&b.model);
  const Packed elsewhere = PackedOf(b);
  ASSERT_FALSE(elsewhere.empty());
  for (const auto& op : b.graph().operators) op->packed.clear();
  PackFor(std::string(b.model.target).c_str(), &b);
  EXPECT_TRUE(PackedOf(b) == elsewhere);
}

}  // namespace
}  // namespace micrort::testing::packed_elsewhere
