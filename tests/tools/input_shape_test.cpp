#include "tools/io/input_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::io {
namespace {

using ::testing::ElementsAre;

TEST(ParseInputShape, ReadsNameAndDimensions) {
  InputShape shape;
  ASSERT_TRUE(ParseInputShape("input=1x3x?x224", &shape).ok());
  EXPECT_EQ(shape.name, "input");
  EXPECT_THAT(shape.dims, ElementsAre(1, 3, -1, 224));
  ASSERT_TRUE(ParseInputShape("a=b=2", &shape).ok());
  EXPECT_EQ(shape.name, "a=b");
  EXPECT_THAT(shape.dims, ElementsAre(2));
  ASSERT_TRUE(ParseInputShape("scalar=", &shape).ok());
  EXPECT_THAT(shape.dims, ElementsAre());
  ASSERT_TRUE(ParseInputShape("#1=scalar", &shape).ok());
  EXPECT_EQ(shape.name, "#1");
  EXPECT_THAT(shape.dims, ElementsAre());
}

TEST(ParseInputShape, RefusesEverythingElse) {
  for (const char* text : {"input", "=1x2", "x=1x", "x=x1", "x=1,2", "x=-1", "x=1 x2", "x=99999999999",
                           "x=??", "x=1x1x1x1x1x1x1x1x1"}) {
    InputShape shape;
    EXPECT_EQ(ParseInputShape(text, &shape).code(), StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace micrort::io
