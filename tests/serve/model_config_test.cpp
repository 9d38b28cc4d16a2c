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

TEST(ModelConfig, FieldsThatSayNothingHereAreTold) {
  ModelConfig config;
  const Error error = ParseModelConfig("config.pbtxt", "m",
                                       "platform: \"tensorrt_plan\" backend: \"nosuch\" max_batch_size: 2 "
                                       "dynamic_batching { preserve_ordering: true }\n"
                                       "instance_group { kind: KIND_MODEL } bogus: 3",
                                       &config);
  ASSERT_TRUE(error.ok()) << error.message();
  std::string notes;
  for (const std::string& note : config.notes) notes += note + '\n';
  for (const char* field :
       {"platform 'tensorrt_plan'", "backend 'nosuch'", "preserve_ordering", "KIND_MODEL", "bogus"})
    EXPECT_THAT(notes, HasSubstr(field));
}

TEST(ModelConfig, ReadsWhatASequenceMayBeIdle) {
  ModelConfig config;
  ASSERT_TRUE(ParseModelConfig("config.pbtxt", "m", "sequence_batching { max_sequence_idle_microseconds: 5 }",
                               &config)
                  .ok());
  EXPECT_EQ(config.max_sequence_idle_us, 5u);
}

}  // namespace
}  // namespace micrort::serve
