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
    {"LinesWithoutAnEnd", [] { return Reads("ca\nb\n0c__torch__"); },
     "data.pkl: broken pickle: it is cut short"},
    {"NamesThatAreNoText", [] { return Reads("c\x01\nNet\n."); }, "a name is no text"},
    {"ALongWithoutALength", [] { return Reads("\x8a"); }, "it is cut short"},
    {"ALongOf72Bits", [] { return Reads("\x8a\x09" + std::string(9, '\0') + "."); },
     "an integer does not fit 64 bits"},
    {"TextThatIsCutShort",
     [] {
       return Reads(
           "U\x02"
           "a");
     },
     "it is cut short"},
    {"ArgumentsThatAreCutShort", [] { return Reads("K"); }, "it is cut short"},
    {"NoStop", [] { return Reads("N"); }, "it is cut short"},
    {"NothingToStop", [] { return Reads("."); }, "its stack is empty"},
    {"NothingToPop", [] { return Reads("N(0."); }, "its stack is empty"},
    {"NothingToStore", [] { return Reads("N(q" + std::string(1, '\0') + "t."); }, "its stack is empty"},
    {"NoMark", [] { return Reads("Nt."); }, "a mark is missing"},
    {"WhatWasNotStored", [] { return Reads("h\x05."); }, "it recalls what it did not store"},
    {"ALaterVersion", [] { return Reads("\x80\x06N."); }, "its version is not known"},
    {"AnotherOperation", [] { return Reads("i."); }, "operation 0x69 at byte 2 is not known"},
    {"TuplesInsideEachOther", [] { return Reads(")" + std::string(120, '\x85') + "."); },
     "too many containers inside each other"},
    {"AListInItself", [] { return Reads("]\x94h" + std::string(1, '\0') + "a."); },
     "a container contains itself"},
    {"AGlobalOfNone", [] { return Reads("NN\x93."); }, "a name is no string"},
    {"ACallOfNone", [] { return Reads("N)R."); }, "a call of no function"},
    {"ArgumentsThatAreNoTuple", [] { return Reads(PickledGlobal("torch", "device") + "]R."); },
     "a call of no function"},
    {"AnObjectOfNone", [] { return Reads("N)\x81."); }, "an object of no class"},
    {"AnObjectOfAnotherModule", [] { return Reads(PickledGlobal("nets", "Net") + ")\x81."); },
     "an object of 'nets.Net', whose code is not in the file", kUnsupported},
    {"AttributesOfAList", [] { return Reads("]}b."); }, "attributes of what is no new object"},
    {"AnAttributeNamed1", [] { return Reads(NewNet() + "}(K\x01K\x02ub."); },
     "an attribute's name is no string"},
    {"ElementsOfATuple", [] { return Reads(")Na."); }, "elements of no container"},
    {"AKeyWithoutAValue", [] { return Reads("}(Nu."); }, "a key without a value"},
    {"NoModule", [] { return Reads("}."); }, "data.pkl: expected a module"},
};

const Refusal kTensors[] = {
    {"AShapeThatIsADictionary",
     [] { return Holds(Called("_rebuild_tensor_v2", Floats() + Long(0) + "}" + Ints({}))); },
     "a tensor without a shape"},
    {"NegativeSizes", [] { return HoldsTensor({-2}, {1}); }, "a tensor with a negative size or stride"},
    {"SizesThatAreText",
     [] {
       return Holds(
           Called("_rebuild_tensor_v2", Floats() + Long(0) + "(" + PickledText("2") + "t" + Ints({1})));
     },
     "a tensor with a negative size or stride"},
    {"MoreStridesThanSizes",
     [] {
       return HoldsTensor({2}, {1, 1});
     },
     "a tensor with strides of another rank"},
    {"NineDimensions",
     [] {
       return HoldsTensor({1, 1, 1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1});
     },
     "a tensor of 9 dimensions", kUnsupported},
    {"MoreBytesThanAddresses",
     [] {
       return HoldsTensor({kMostInt, 2}, {0, 0});
     },
     "a tensor is too large"},
    {"StepsThatOverflow", [] { return HoldsTensor({3}, {kMostInt}); }, "a tensor reaches beyond its storage"},
    {"MoreThanItsStorage", [] { return HoldsTensor({3}, {1}); }, "a tensor reaches beyond its storage"},
    {"ElementsThatRepeatOften",
     [] {
       return HoldsTensor({1 << 15, 1 << 15}, {0, 0});
     },
     "a tensor repeats its storage too often"},
    {"ComplexNumbersOfEightDimensions",
     [] {
       return HoldsTensor({1, 1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 1}, Storage("ComplexFloatStorage"));
     },
     "complex numbers of 8 dimensions", kUnsupported},
    {"NoStorage", [] { return HoldsTensor({2}, {1}, "N"); }, "a tensor without a storage"},
    {"ANegativeOffset", [] { return HoldsTensor({2}, {1}, Floats(), -1); }, "a tensor without a storage"},
    {"NoQuantization", [] { return HoldsQuantized(""); }, "a tensor without its quantization"},
    {"AnotherQuantization",
     [] { return HoldsQuantized("(" + PickledGlobal("torch", "per_group_affine") + "t"); },
     "a tensor quantized by 'torch per_group_affine'", kUnsupported},
    {"AStorageThatIsNone", [] { return Holds("NQ"); }, "a storage without a name or a size"},
    {"AStorageOfANegativeSize", [] { return HoldsTensor({2}, {1}, Storage("FloatStorage", Long(-1))); },
     "a storage without a name or a size"},
    {"AStorageThatNoMemoryHolds",
     [] { return HoldsTensor({2}, {1}, Storage("FloatStorage", Long(kMostInt))); },
     "a storage without a name or a size"},
    {"StringsAsElements", [] { return HoldsTensor({2}, {1}, Storage("StringStorage")); },
     "a tensor of 'torch StringStorage'", kUnsupported},
    {"FewerElementsThanThePickleSays", [] { return HoldsTensor({9}, {1}, Storage("FloatStorage", Long(9))); },
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
