// Messages that are longer than their room.

#include "kernels/base/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace micrort {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(StatusMessage, KeepsTheCauseBelowLongPrefixes) {
  const std::string name = "model/" + std::string(350, 'n') + "/MatMul";
  const Status node =
      MICRORT_ERROR(kUnsupported, "the type string").WithPrefix("node '%s' (MatMul)", name.c_str());
  const Status file = node.WithPrefix("%s", "saved_model.pb");
  EXPECT_THAT(node.message(), StartsWith("node 'model/nn"));
  EXPECT_THAT(file.message(), EndsWith("the type string"));
  EXPECT_LT(std::strlen(file.message()), static_cast<size_t>(Status::kMaxMessage));
  EXPECT_EQ(file.code(), StatusCode::kUnsupported);
}

TEST(StatusMessage, CutsTheMiddleOfAPrefix) {
  const std::string name = "begin" + std::string(500, 'n') + "end";
  const Status cut =
      MICRORT_ERROR(kIo, "%s", std::string(200, 'c').c_str()).WithPrefix("%.390s", name.c_str());
  EXPECT_THAT(cut.message(), StartsWith("begin"));
  EXPECT_THAT(cut.message(), HasSubstr("n...n"));
  EXPECT_THAT(cut.message(), EndsWith(": " + std::string(200, 'c')));
}

// Letters of several bytes stay whole.
TEST(StatusMessage, CutsBetweenLetters) {
  std::string name;
  for (int i = 0; i < 120; ++i) name += "\xe2\x82\xac";
  for (int length = 40; length < 52; ++length) {
    const std::string cause(static_cast<size_t>(length), 'c');
    const std::string message =
        MICRORT_ERROR(kIo, "%s", cause.c_str()).WithPrefix("%s", name.c_str()).message();
    const size_t gap = message.find("...");
    ASSERT_NE(gap, std::string::npos);
    EXPECT_EQ(gap % 3, 0u);
    EXPECT_EQ((message.find(": c") - gap) % 3, 0u);
  }
}

TEST(StatusMessage, IsTheCauseAloneWhereThereIsNoRoom) {
  const std::string cause(395, 'c');
  EXPECT_EQ(MICRORT_ERROR(kIo, "%s", cause.c_str()).WithPrefix("a file").message(), cause);
}

}  // namespace
}  // namespace micrort
