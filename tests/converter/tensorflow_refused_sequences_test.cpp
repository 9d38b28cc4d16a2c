// TensorFlow's operators on sequences, segments and lists: operands that do not fit.

#include "tests/converter/tensorflow_operator.h"
#include "tests/refusal.h"

namespace micrort::testing::tensorflow_refused_sequences {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

TfOperator OfFormats(const std::string& op, int64_t entries, const std::string& from, const std::string& to) {
  TfOperator result(op);
  return result.X({entries}, "DT_INT32")
      .With("src_format", "s: '" + from + "'")
      .With("dst_format", "s: '" + to + "'");
}

Status Partition(const std::vector<int64_t>& data, const std::vector<int64_t>& numbers, int parts) {
  return TfOperator("DynamicPartition")
      .X(data)
      .X(numbers, "DT_INT32")
      .With("num_partitions", "i: " + std::to_string(parts))
      .Import();
}

const Refusal kSequences[] = {
    {"BatchAlongTheSequence",
     MICRORT_STATUS(TfOperator("ReverseSequence").X({2, 3}).Integers({1, 1}).Import()),
     "seq_dim and batch_dim are 0"},
    {"RollOfMoreAxes", MICRORT_STATUS(TfOperator("Roll").X({2, 2}).Integers({1}).Integers({0, 1}).Import()),
     "1 shifts along 2 axes"},
    {"RollOfAnOpenSize", MICRORT_STATUS(TfOperator("Roll").X({-1}).Integers({1}).Integers({0}).Import()),
     "the size of dimension 0 is not fixed", kUnsupported},
    {"StitchOfAnOddNumber", MICRORT_STATUS(TfOperator("DynamicStitch").Integers({0}).X({1}).X({1}).Import()),
     "(DynamicStitch): 3 inputs"},
    {"StitchAtNegativePlaces", MICRORT_STATUS(TfOperator("DynamicStitch").Integers({-1}).X({1}).Import()),
     "index -1"},
    {"StitchOfScalarsForLists", MICRORT_STATUS(TfOperator("DynamicStitch").Integers({0}).X({}).Import()),
     "data of fewer dimensions than indices"},
    {"PartitionIntoNone", MICRORT_STATUS(Partition({2}, {2}, 0)), "0 parts"},
    {"PartitionIntoTooMany", MICRORT_STATUS(Partition({2}, {2}, 4097)), "4097 parts"},
    {"PartitionByScalars", MICRORT_STATUS(Partition({2}, {}, 2)), "2 parts"},
    {"UniqueAlongTwoAxes", MICRORT_STATUS(TfOperator("UniqueV2").X({2, 2}).Integers({0, 1}).Import()),
     "2 axes"},
    {"ShapesOfUnknownRank",
     MICRORT_STATUS(TfOperator("BroadcastArgs").X({-1}, "DT_INT32").Integers({2}).Import()),
     "a shape of open rank", kUnsupported},
    {"ShapesOfTooManyDimensions",
     MICRORT_STATUS(TfOperator("BroadcastArgs").X({65537}, "DT_INT32").Integers({2}).Import()),
     "a shape of open rank, or of more than 8 dimensions", kUnsupported},
    {"FormatsOfOtherLengths", MICRORT_STATUS(OfFormats("DataFormatVecPermute", 3, "NHWC", "NCHW").Import()),
     "3 entries for NHWC", kUnsupported},
    {"FormatsOfOtherLetters", MICRORT_STATUS(OfFormats("DataFormatVecPermute", 4, "NHWC", "NCHX").Import()),
     "NHWC to NCHX"},
    {"FormatOfTooManyDimensions",
     MICRORT_STATUS(OfFormats("DataFormatVecPermute", 9, "NABCDEHWO", "NABCDEHWO").Import()),
     "a format of 9 dimensions, at most 8 are possible", kUnsupported},
    {"MapToTooManyDimensions", MICRORT_STATUS(OfFormats("DataFormatDimMap", 1, "NHWC", "NABCDEHWC").Import()),
     "a format of 9 dimensions, at most 8 are possible", kUnsupported},
    {"MapToOtherLetters", MICRORT_STATUS(OfFormats("DataFormatDimMap", 1, "NHWC", "NCHX").Import()),
     "NHWC to NCHX"},
    {"BucketsWithoutBoundaries", MICRORT_STATUS(TfOperator("Bucketize").X({2}).Import()),
     "attribute boundaries is missing"},
    {"SegmentsByScalars",
     MICRORT_STATUS(TfOperator("UnsortedSegmentSum").X({2}).X({}, "DT_INT32").Integer(2).Import()),
     "ids of 0 dimensions for data of 1"},
    {"SegmentsOfFewerDimensions",
     MICRORT_STATUS(TfOperator("UnsortedSegmentSum").X({2}).X({2, 2}, "DT_INT32").Integer(2).Import()),
     "ids of 2 dimensions for data of 1"},
    {"SegmentsThatDescend", MICRORT_STATUS(TfOperator("SegmentSum").X({2}).Integers({1, 0}).Import()),
     "ids that do not ascend from 0"},
    {"SegmentsBelowZero", MICRORT_STATUS(TfOperator("SegmentSum").X({2}).Integers({-1, 0}).Import()),
     "ids that do not ascend from 0"},
    {"SparseIndicesOfThreeDimensions",
     MICRORT_STATUS(
         TfOperator("SparseToDense").X({2, 1, 1}, "DT_INT32").Integers({3}).X({2}).Float(0).Import()),
     "indices of 3 dimensions"},
    {"SparseOfUnknownRank",
     MICRORT_STATUS(
         TfOperator("SparseToDense").X({2, 1}, "DT_INT32").X({-1}, "DT_INT32").X({2}).Float(0).Import()),
     "a shape of unknown rank", kUnsupported},
    {"LargestOfAScalar", MICRORT_STATUS(TfOperator("TopKV2").X({}).Integer(1).Import()), "of a scalar"},
    {"NthOfAScalar", MICRORT_STATUS(TfOperator("NthElement").X({}).Integer(0).Import()), "of a scalar"},
};
MICRORT_EXPECT_REFUSALS(TensorflowRefusedSequences, kSequences);

}  // namespace
}  // namespace micrort::testing::tensorflow_refused_sequences
