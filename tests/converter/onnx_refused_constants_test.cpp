// Operands that must be constant, or one element, and bits that make no other type.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_constants {
namespace {

using ::onnx::TensorProto;

constexpr auto kUnsupported = StatusCode::kUnsupported;

Status FilledWith(const std::vector<int64_t>& dims) {
  OneNode node("ConstantOfShape");
  auto* a = node.Integers({2, 2}).node()->add_attribute();
  a->set_name("value");
  a->set_type(::onnx::AttributeProto::TENSOR);
  a->mutable_t()->set_data_type(TensorProto::FLOAT);
  for (const int64_t dim : dims) a->mutable_t()->add_dims(dim);
  for (int64_t i = 0; i < dims[0]; ++i) a->mutable_t()->add_float_data(1);
  return node.Refused();
}

Status BitsOf(int from, int to) { return OneNode("BitCast", 26).X({"2"}, from).Int("to", to).Refused(); }

// Scales are an input of the model, which only a run knows.
Status MultiplyWithUnknownScales() {
  OneNode node("com.microsoft.MatMulNBits");
  node.X({"1", "16"}).node()->add_input("w");
  node.model().Narrow("w", TensorProto::UINT8, {1, 1, 8}, std::vector<int32_t>(8));
  return node.X({"1"}).Int("K", 16).Int("N", 1).Int("bits", 4).Int("block_size", 16).Refused();
}

Status TrainsByNothing() {
  OneNode node("Dropout");
  node.X({"2"}).Weights({1}).node()->add_input("training");
  node.model().Narrow("training", TensorProto::BOOL, {0}, {});
  return node.Refused();
}

// A model that never reads it.
Status Stored(int type, const std::vector<int64_t>& dims) {
  OnnxBuilder b = OneRelu();
  ::onnx::TensorProto* tensor = b.graph().add_initializer();
  tensor->set_name("w");
  tensor->set_data_type(type);
  for (const int64_t dim : dims) tensor->add_dims(dim);
  tensor->set_raw_data("");
  return Import(b).status;
}

Status StoredSparsely(const std::vector<int64_t>& dims, int count = 1) {
  OnnxBuilder b = OneRelu();
  for (int i = 0; i < count; ++i) {
    auto* sparse = b.graph().add_sparse_initializer();
    for (const int64_t dim : dims) sparse->add_dims(dim);
    sparse->mutable_values()->set_name("w" + std::to_string(i));
    sparse->mutable_values()->set_data_type(TensorProto::FLOAT);
    sparse->mutable_values()->add_dims(0);
  }
  return Import(b).status;
}

constexpr int kInt4 = 22;  // of ONNX 1.16
constexpr int64_t kLargest = (int64_t{1} << 31) - 1;

const Refusal kConstants[] = {
    {"DimensionOf64Bits", MICRORT_STATUS(Stored(TensorProto::FLOAT, {int64_t{1} << 59})),
     "tensor 'w': shape 576460752303423488 is negative or too large"},
    {"DimensionOf33BitsBesideNone", MICRORT_STATUS(Stored(TensorProto::FLOAT, {int64_t{1} << 32, 0})),
     "is negative or too large"},
    {"SparseDimensionOf33BitsBesideNone", MICRORT_STATUS(StoredSparsely({int64_t{1} << 32, 0})),
     "is negative or too large"},
    {"ManyLargeSparseTensors", MICRORT_STATUS(StoredSparsely({1 << 28}, 3)),
     "sparse tensors of over 2147483648 bytes in all", kUnsupported},
    {"HalfBytesOfAHugeMatrix", MICRORT_STATUS(Stored(kInt4, {kLargest, kLargest})),
     "its shape takes 2305843007066210305 bytes, its data has 0"},
    {"TwoElementsToFillWith", MICRORT_STATUS(FilledWith({2})), "attribute 'value' must have one element"},
    {"BitsOfAnUnknownType", MICRORT_STATUS(BitsOf(TensorProto::FLOAT, TensorProto::STRING)), "cast to STRING",
     kUnsupported},
    {"BitsOfAnotherSize", MICRORT_STATUS(BitsOf(TensorProto::FLOAT, TensorProto::INT16)),
     "the bits of float32 make no int16"},
    {"FloatsAsBool", MICRORT_STATUS(BitsOf(TensorProto::FLOAT, TensorProto::BOOL)),
     "the bits of float32 make no bool"},
    {"BytesAsBool", MICRORT_STATUS(BitsOf(TensorProto::UINT8, TensorProto::BOOL)),
     "bytes other than 0 and 1 are no bool", kUnsupported},
    {"TrainingModeOfNoElements", TrainsByNothing, "training_mode has 0 elements: expected one"},
    {"ScalesThatAreNotConstant", MultiplyWithUnknownScales, "input 2 ('x2') must be a constant of floats",
     kUnsupported},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedConstants, kConstants);

}  // namespace
}  // namespace micrort::testing::onnx_refused_constants
