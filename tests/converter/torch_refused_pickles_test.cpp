// Pickles of TorchScript archives that are broken, and tensors in them that lie outside their storages.

#include "tests/converter/torch_file_refusals.h"

namespace micrort::testing::torch_refused_pickles {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr int64_t kMostInt = INT64_MAX;

// A pickle of the second version, with these operations.
Status Reads(const std::string& operations) {
  return ImportedWithTwo(AddingModel().Entry("data.pkl", "\x80\x02" + operations).Bytes());
}

// A model whose attribute `w` is this.
Status Holds(const std::string& value) {
  return ImportedWithTwo(
      ModelWithoutW().Entry("data/0", std::string(16, '\0')).Attribute("w", value).Bytes());
}

std::string NewNet() { return PickledGlobal("__torch__", "Net") + ")\x81"; }

std::string Called(const std::string& function, const std::string& arguments) {
  return PickledGlobal("torch._utils", function) + "(" + arguments + "tR";
}

std::string Long(int64_t v) { return "\x8a\x08" + LittleEndian(static_cast<uint64_t>(v), 8); }
std::string Ints(const std::vector<int64_t>& v) {
  std::string text = "(";
  for (const int64_t i : v) text += Long(i);
  return text + "t";
}

std::string Storage(const std::string& elements, const std::string& size = Long(2)) {
  return "(" + PickledText("storage") + PickledGlobal("torch", elements) + PickledText("0") +
         PickledText("cpu") + size + "tQ";
}
std::string Floats() { return Storage("FloatStorage"); }

Status HoldsTensor(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides,
                   const std::string& storage = Floats(), int64_t offset = 0) {
  return Holds(Called("_rebuild_tensor_v2", storage + Long(offset) + Ints(shape) + Ints(strides)));
}

Status HoldsQuantized(const std::string& quantization) {
  return Holds(
      Called("_rebuild_qtensor", Storage("QInt8Storage") + Long(0) + Ints({2}) + Ints({1}) + quantization));
}

const Refusal kPickles[] = {
    // A line that went on at the start would be no text.
    {"LinesWithoutAnEnd", MICRORT_STATUS(Reads("ca\nb\n0c__torch__")),
     "data.pkl: broken pickle: it is cut short"},
    {"NamesThatAreNoText", MICRORT_STATUS(Reads("c\x01\nNet\n.")), "a name is no text"},
    {"ALongWithoutALength", MICRORT_STATUS(Reads("\x8a")), "it is cut short"},
    {"ALongOf72Bits", MICRORT_STATUS(Reads("\x8a\x09" + std::string(9, '\0') + ".")),
     "an integer does not fit 64 bits"},
    {"TextThatIsCutShort",
     MICRORT_STATUS(Reads("U\x02"
                          "a")),
     "it is cut short"},
    {"ArgumentsThatAreCutShort", MICRORT_STATUS(Reads("K")), "it is cut short"},
    {"NoStop", MICRORT_STATUS(Reads("N")), "it is cut short"},
    {"NothingToStop", MICRORT_STATUS(Reads(".")), "its stack is empty"},
    {"NothingToPop", MICRORT_STATUS(Reads("N(0.")), "its stack is empty"},
    {"NothingToStore", MICRORT_STATUS(Reads("N(q" + std::string(1, '\0') + "t.")), "its stack is empty"},
    {"NoMark", MICRORT_STATUS(Reads("Nt.")), "a mark is missing"},
    {"WhatWasNotStored", MICRORT_STATUS(Reads("h\x05.")), "it recalls what it did not store"},
    {"ALaterVersion", MICRORT_STATUS(Reads("\x80\x06N.")), "its version is not known"},
    {"AnotherOperation", MICRORT_STATUS(Reads("i.")), "operation 0x69 at byte 2 is not known"},
    {"TuplesInsideEachOther", MICRORT_STATUS(Reads(")" + std::string(120, '\x85') + ".")),
     "too many containers inside each other"},
    {"AListInItself", MICRORT_STATUS(Reads("]\x94h" + std::string(1, '\0') + "a.")),
     "a container contains itself"},
    {"AGlobalOfNone", MICRORT_STATUS(Reads("NN\x93.")), "a name is no string"},
    {"ACallOfNone", MICRORT_STATUS(Reads("N)R.")), "a call of no function"},
    {"ArgumentsThatAreNoTuple", MICRORT_STATUS(Reads(PickledGlobal("torch", "device") + "]R.")),
     "a call of no function"},
    {"AnObjectOfNone", MICRORT_STATUS(Reads("N)\x81.")), "an object of no class"},
    {"AnObjectOfAnotherModule", MICRORT_STATUS(Reads(PickledGlobal("nets", "Net") + ")\x81.")),
     "an object of 'nets.Net', whose code is not in the file", kUnsupported},
    {"AttributesOfAList", MICRORT_STATUS(Reads("]}b.")), "attributes of what is no new object"},
    {"AnAttributeNamed1", MICRORT_STATUS(Reads(NewNet() + "}(K\x01K\x02ub.")),
     "an attribute's name is no string"},
    {"ElementsOfATuple", MICRORT_STATUS(Reads(")Na.")), "elements of no container"},
    {"AKeyWithoutAValue", MICRORT_STATUS(Reads("}(Nu.")), "a key without a value"},
    {"NoModule", MICRORT_STATUS(Reads("}.")), "data.pkl: expected a module"},
};

const Refusal kTensors[] = {
    {"AShapeThatIsADictionary",
     MICRORT_STATUS(Holds(Called("_rebuild_tensor_v2", Floats() + Long(0) + "}" + Ints({})))),
     "a tensor without a shape"},
    {"NegativeSizes", MICRORT_STATUS(HoldsTensor({-2}, {1})), "a tensor with a negative size or stride"},
    {"SizesThatAreText",
     MICRORT_STATUS(
         Holds(Called("_rebuild_tensor_v2", Floats() + Long(0) + "(" + PickledText("2") + "t" + Ints({1})))),
     "a tensor with a negative size or stride"},
    {"MoreStridesThanSizes", MICRORT_STATUS(HoldsTensor({2}, {1, 1})),
     "a tensor with strides of another rank"},
    {"NineDimensions", MICRORT_STATUS(HoldsTensor({1, 1, 1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1})),
     "a tensor of 9 dimensions", kUnsupported},
    {"MoreBytesThanAddresses", MICRORT_STATUS(HoldsTensor({kMostInt, 2}, {0, 0})), "a tensor is too large"},
    {"StepsThatOverflow", MICRORT_STATUS(HoldsTensor({3}, {kMostInt})),
     "a tensor reaches beyond its storage"},
    {"MoreThanItsStorage", MICRORT_STATUS(HoldsTensor({3}, {1})), "a tensor reaches beyond its storage"},
    {"ElementsThatRepeatOften", MICRORT_STATUS(HoldsTensor({1 << 15, 1 << 15}, {0, 0})),
     "a tensor repeats its storage too often"},
    {"ComplexNumbersOfEightDimensions",
     MICRORT_STATUS(
         HoldsTensor({1, 1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 1}, Storage("ComplexFloatStorage"))),
     "complex numbers of 8 dimensions", kUnsupported},
    {"NoStorage", MICRORT_STATUS(HoldsTensor({2}, {1}, "N")), "a tensor without a storage"},
    {"ANegativeOffset", MICRORT_STATUS(HoldsTensor({2}, {1}, Floats(), -1)), "a tensor without a storage"},
    {"NoQuantization", MICRORT_STATUS(HoldsQuantized("")), "a tensor without its quantization"},
    {"AnotherQuantization",
     MICRORT_STATUS(HoldsQuantized("(" + PickledGlobal("torch", "per_group_affine") + "t")),
     "a tensor quantized by 'torch per_group_affine'", kUnsupported},
    {"AStorageThatIsNone", MICRORT_STATUS(Holds("NQ")), "a storage without a name or a size"},
    {"AStorageOfANegativeSize", MICRORT_STATUS(HoldsTensor({2}, {1}, Storage("FloatStorage", Long(-1)))),
     "a storage without a name or a size"},
    {"AStorageThatNoMemoryHolds",
     MICRORT_STATUS(HoldsTensor({2}, {1}, Storage("FloatStorage", Long(kMostInt)))),
     "a storage without a name or a size"},
    {"StringsAsElements", MICRORT_STATUS(HoldsTensor({2}, {1}, Storage("StringStorage"))),
     "a tensor of 'torch StringStorage'", kUnsupported},
    {"FewerElementsThanThePickleSays",
     MICRORT_STATUS(HoldsTensor({9}, {1}, Storage("FloatStorage", Long(9)))),
     "entry 'data/0' of the archive has 16 bytes, its tensor needs more"},
    {"AScalarAsAStorage",
     [] {
       const std::string scalar = Called("_rebuild_tensor_v2", Floats() + Long(0) + Ints({}) + Ints({}));
       return HoldsTensor({2}, {1}, scalar);
     },
     "a tensor without a storage"},
};

MICRORT_EXPECT_REFUSALS(TorchRefusedPickles, kPickles);
MICRORT_EXPECT_REFUSALS(TorchRefusedTensors, kTensors);

// Files of PyTorch have anything there.
TEST(TorchRefusedTensors, StridesThatLeadNowhereDoNotCount) {
  EXPECT_TRUE(HoldsTensor({1, 2}, {kMostInt, 1}).ok());
  EXPECT_TRUE(HoldsTensor({0, 2}, {kMostInt, kMostInt}, Floats(), kMostInt).ok());
}

}  // namespace
}  // namespace micrort::testing::torch_refused_pickles
