// Operators that ask for what they cannot have, and for more in a run than was planned.

#include "kernels/conv2d/algorithm_variants.h"
#include "runtime/interpreter/single_op.h"
#include "tests/refusal.h"
#include "tests/runtime/test_session.h"

namespace micrort::testing::refused_preparations {
namespace {

using ::testing::HasSubstr;

Status ParseNothing(const schema::Operator&, void*) { return Status(); }
Status PackNothing(const PackContext&) { return Status(); }
Status RunNothing(const RunContext&) { return Status(); }

// Unary operators: `prepare` is their own.
OpRegistration Unary(Status (*prepare)(PrepareContext&)) {
  return {
      static_cast<int>(schema::OpCode::Unary), "Unary", 0, ParseNothing, prepare, PackNothing, RunNothing};
}

// y = the operator of x [8]; of those that are not negative, if `is_bounded`.
struct Prepared {
  Prepared(Status (*prepare)(PrepareContext&), bool is_bounded) : registration(Unary(prepare)) {
    ModelBuilder b;
    int x = b.Input("x", DType::kFloat32, {8});
    const int w = b.Constant<float>("w", {1}, {1}), y = b.Tensor("y", DType::kFloat32, {-1});
    if (is_bounded) {
      const int kept = b.Tensor("kept", DType::kFloat32, {-1});
      b.Node(schema::SliceOptionsT(), {x}, {kept}, "keep");
      x = kept;
    }
    b.Node(schema::UnaryOptionsT(), {x, w}, {y}, "own");
    b.Output(y);
    resolver.Add(FakeKeep());
    resolver.Add(registration);
    InterpreterOptions options;
    options.resolver = &resolver;
    session.emplace(b, options);
  }

  OpRegistration registration;
  OpResolver resolver;
  std::optional<TestSession> session;
};

Status Create(Status (*prepare)(PrepareContext&)) { return Prepared(prepare, false).session->status(); }

// With eight elements, as planned, then with three.
Status RunTwice(Status (*prepare)(PrepareContext&)) {
  Prepared prepared(prepare, true);
  TestSession& session = *prepared.session;
  MICRORT_RETURN_IF_ERROR(session.status());
  session.SetInput(0, std::vector<float>(8, 4));
  MICRORT_RETURN_IF_ERROR(session->Run());
  session.SetInput(0, {-1, 1, -1, 2, -1, -1, 3, -1});
  return session->Run();
}

Status LikeInput(PrepareContext& c) { return c.SetOutput(0, DType::kFloat32, c.input(0).shape); }

const Refusal kPreparations[] = {
    {"OutputWithoutAShape", [] { return Create([](PrepareContext&) { return Status(); }); },
     "node 'own' (Unary): output 'y' was left with shape", StatusCode::kInternal},
    {"ScratchOfHalfAnAddressSpace",
     [] {
       return Create([](PrepareContext& c) {
         c.RequestScratch(SIZE_MAX / 2);
         return LikeInput(c);
       });
     },
     "bytes of scratch or packed weights"},
    {"MoreScratchThanPlanned",
     [] {
       return RunTwice([](PrepareContext& c) {
         c.RequestScratch(c.input(0).shape[0] == 8 ? 64 : 128);
         return LikeInput(c);
       });
     },
     "needs 128 bytes of scratch in this run, 64 are planned", StatusCode::kOutOfRange},
    {"OtherPackedWeightsThanPlanned",
     [] {
       return RunTwice([](PrepareContext& c) {
         c.RequestPacked(0, c.input(0).shape[0] == 8 ? 64 : 128, FindVariant(kDoubled), kDoubled, 1);
         return LikeInput(c);
       });
     },
     "needs other packed weights in this run than planned", StatusCode::kInternal},
};

MICRORT_EXPECT_REFUSALS(RefusedPreparation, kPreparations);

Status Init(schema::OpCode code, const OpResolver& resolver, CpuFeatures features, SingleOp* out) {
  flatbuffers::FlatBufferBuilder builder;
  schema::OperatorT op;
  op.code = code;
  builder.Finish(schema::Operator::Pack(builder, &op));
  return out->Init(*flatbuffers::GetRoot<schema::Operator>(builder.GetBufferPointer()), resolver, features);
}

TEST(SingleOpRefusals, OperatorThatIsNotInTheResolver) {
  SingleOp single;
  const Status status = Init(schema::OpCode::Softmax, OpResolver(), CpuFeatures{0}, &single);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("operator Softmax is not in the resolver"));
}

// What the converter computes with was prepared for the CPU that it runs on.
TEST(SingleOpRefusals, OperatorPreparedForAnotherCpu) {
  OpResolver resolver;
  resolver.Add(FakeAddOne());
  SingleOp single;
  ASSERT_TRUE(Init(schema::OpCode::Unary, resolver, ~CpuFeatures{0}, &single).ok());
  float elements[2] = {1, 2};
  Tensor x, y;
  x.dtype = DType::kFloat32;
  x.shape = Shape::Of(2);
  x.data = elements;
  y.data = elements;
  Tensor *const inputs[] = {&x}, *const outputs[] = {&y};
  ASSERT_TRUE(single.Infer(inputs, outputs).ok());
  const Status status = single.Run(inputs, outputs);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("this CPU has"));
}

}  // namespace
}  // namespace micrort::testing::refused_preparations
