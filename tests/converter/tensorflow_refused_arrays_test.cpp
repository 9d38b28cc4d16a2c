// TensorFlow's operators that join, cut, pick and make tensors: operands that do not fit.

#include "tests/converter/tensorflow_operator.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_arrays {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kArrays[] = {
    {"SplitIntoUnequalParts",
     MICRORT_STATUS(TfOperator("Split").Integer(0).X({4}).With("num_split", "i: 3").Import()),
     "4 elements in 3 parts"},
    {"SplitIntoTooManyParts",
     MICRORT_STATUS(TfOperator("Split").Integer(0).X({-1}).With("num_split", "i: 65537").Import()),
     "-1 elements in 65537 parts"},
    {"SplitOfAnOpenSize",
     MICRORT_STATUS(TfOperator("SplitV").X({-1, 2}).Integers({1, -1}).Integer(0).Import()),
     "the size of dimension 0 is not fixed", kUnsupported},
    {"PartsLargerThanAll", MICRORT_STATUS(TfOperator("SplitV").X({4}).Integers({5, -1}).Integer(0).Import()),
     "a part of 5 elements"},
    {"PartsLargerThanTheRest",
     MICRORT_STATUS(TfOperator("SplitV").X({4}).Integers({3, 2}).Integer(0).Import()),
     "a part of 2 elements where 1 are left"},
    {"TooManyParts",
     MICRORT_STATUS(TfOperator("SplitV").X({4}).Integers(std::vector<int32_t>(65537)).Integer(0).Import()),
     "more than 65536 parts", kUnsupported},
    {"PartsThatLeaveSome", MICRORT_STATUS(TfOperator("SplitV").X({4}).Integers({1, 2}).Integer(0).Import()),
     "parts of 3 elements of 4"},
    {"PackOfSeveralRanks", MICRORT_STATUS(TfOperator("Pack").X({2, 2}).X({}).With("axis", "i: 2").Import()),
     "tensors of several ranks"},
    {"UnpackOfAnotherNumber", MICRORT_STATUS(TfOperator("Unpack").X({2}).With("num", "i: 3").Import()),
     "2 elements in 3 parts"},
    {"SliceOfOneDimension",
     MICRORT_STATUS(TfOperator("Slice").X({2, 2}).Integers({0}).Integers({1}).Import()),
     "begin and size need an entry a dimension"},
    {"SliceThatBeginsBefore",
     MICRORT_STATUS(TfOperator("Slice").X({2}).Integers({-1}).Integers({1}).Import()), "begin -1, size 1"},
    {"SliceOfNegativeSize", MICRORT_STATUS(TfOperator("Slice").X({2}).Integers({0}).Integers({-2}).Import()),
     "begin 0, size -2"},
    {"SumAlongAnAxisTwice", MICRORT_STATUS(TfOperator("Sum").X({2, 2}).Integers({1, -1}).Import()),
     "axis 1 is listed twice"},
    {"AnyAlongAnAxisTwice", MICRORT_STATUS(TfOperator("Any").X({2, 2}, "DT_BOOL").Integers({0, 0}).Import()),
     "axis 0 is listed twice"},
    {"ReverseOfAnAxisTwice", MICRORT_STATUS(TfOperator("ReverseV2").X({2, 2}).Integers({-2, 0}).Import()),
     "axis 0 is listed twice"},
    {"ReverseByComputedMarks", MICRORT_STATUS(TfOperator("Reverse").X({2}).X({1}, "DT_BOOL").Import()),
     "input 1 is no constant of truth values", kUnsupported},
    {"ReverseByMarksOfAnotherRank",
     MICRORT_STATUS(TfOperator("Reverse").X({2, 2}).Truths({true, true, true}).Import()),
     "3 marks for 2 dimensions"},
    {"OffsetsOfTooManyDimensions",
     MICRORT_STATUS(TfOperator("ConcatOffset").Integer(0).X({65537}, "DT_INT32").Import()),
     "shapes of 65537 dimensions"},
    {"OffsetsOfUnknownRank",
     MICRORT_STATUS(TfOperator("ConcatOffset").Integer(0).X({-1}, "DT_INT32").Import()),
     "a shape of unknown rank", kUnsupported},
    {"BatchesBehindTheAxis",
     MICRORT_STATUS(TfOperator("GatherV2")
                        .X({2, 3})
                        .X({2, 1}, "DT_INT32")
                        .Integer(0)
                        .With("batch_dims", "i: 1")
                        .Import()),
     "batch_dims 1 with axis 0"},
    {"LineOfNoValues", MICRORT_STATUS(TfOperator("LinSpace").Float(0).Float(1).Integer(0).Import()),
     "0 values"},
    {"LineBetweenSeveralStarts",
     MICRORT_STATUS(TfOperator("LinSpace").Floats({2}, {0, 1}).Float(2).Integer(3).Import()), "3 values"},
    {"OneHotOfNegativeDepth",
     MICRORT_STATUS(TfOperator("OneHot").X({2}, "DT_INT32").Integer(-1).Float(1).Float(0).Import()),
     "depth -1"},
    {"PlacesTakenTwice", MICRORT_STATUS(TfOperator("InvertPermutation").Integers({0, 0}).Import()),
     "it is no permutation"},
    {"PlacesOutside", MICRORT_STATUS(TfOperator("InvertPermutation").Integers({0, 2}).Import()),
     "it is no permutation"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedArrays, kArrays);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_arrays
