// What a config.pbtxt may not say.

#include "serve/repository/model_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace micrort::serve {
namespace {

using ::testing::HasSubstr;

TEST(ModelConfig, ATypeThatHasNoNameIsRefusedWithItsNumber) {
  ModelConfig config;
  const Error error =
      ParseModelConfig("config.pbtxt", "m", "input [ { name: \"x\" data_type: 32 dims: [ 4 ] } ]", &config);
  EXPECT_THAT(error.message(), HasSubstr("tensor 'x': no model has elements of type 32"));
}

}  // namespace
}  // namespace micrort::serve
