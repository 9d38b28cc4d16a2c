// Options that the C interface refuses.

#include <functional>

#include "micrort/custom_op.h"
#include "micrort/micrort_c.h"
#include "tests/runtime/control_flow_models.h"
#include "tests/status_matchers.h"

namespace micrort::testing::c_api_options {
namespace {

using ::testing::HasSubstr;

struct BadOption {
  const char* name;
  std::function<void(micrort_options*)> set;
  const char* message;
};
void PrintTo(const BadOption& option, std::ostream* out) { *out << option.name; }

ModelFile Negation() {
  ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {4}), y = b.Tensor("y", DType::kFloat32, {4});
  b.Node(UnaryOf(schema::UnaryKind::Neg), {x}, {y});
  b.Output(y);
  return b.Finish();
}

class CApiOption : public ::testing::TestWithParam<BadOption> {};

TEST_P(CApiOption, IsRefused) {
  const ModelFile file = Negation();
  char message[MICRORT_MESSAGE_BYTES];
  micrort_model* model = nullptr;
  ASSERT_EQ(micrort_model_from_buffer(file.data(), file.size(), &model, message, sizeof message), MICRORT_OK);
  micrort_options options;
  micrort_options_init(&options);
  GetParam().set(&options);
  micrort_interpreter* interpreter = nullptr;
  EXPECT_EQ(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message),
            MICRORT_INVALID_ARGUMENT);
  EXPECT_EQ(interpreter, nullptr);
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  micrort_interpreter_destroy(interpreter);
  micrort_model_destroy(model);
}

const micrort_custom_op* const kOps[40] = {};
const micrort_custom_op kOpOfAnotherVersion = {};
const micrort_custom_op* const kOpsOfAnotherVersion[] = {&kOpOfAnotherVersion};

const BadOption kBadOptions[] = {
    {"StructWithoutItsSize", [](micrort_options* o) { o->struct_bytes = 0; },
     "expected struct_bytes of at most"},
    {"StructOfALaterVersion", [](micrort_options* o) { o->struct_bytes += 8; },
     "expected struct_bytes of at most"},
    {"UnknownInstructionSet", [](micrort_options* o) { o->isa = "avx3"; }, "found 'avx3'"},
    {"NoShapes", [](micrort_options* o) { o->input_shape_count = 1; }, "null"},
    {"NoCustomOperators", [](micrort_options* o) { o->custom_op_count = 1; }, "null"},
    {"CustomOperatorThatIsNull",
     [](micrort_options* o) {
       o->custom_ops = kOps;
       o->custom_op_count = 1;
     },
     "expected struct_bytes of"},
    {"CustomOperatorOfAnotherVersion",
     [](micrort_options* o) {
       o->custom_ops = kOpsOfAnotherVersion;
       o->custom_op_count = 1;
     },
     "expected struct_bytes of"},
    {"TooManyCustomOperators",
     [](micrort_options* o) {
       o->custom_ops = kOps;
       o->custom_op_count = 33;
     },
     "expected at most 32, found 33"},
};

INSTANTIATE_TEST_SUITE_P(Options, CApiOption, ::testing::ValuesIn(kBadOptions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace micrort::testing::c_api_options
