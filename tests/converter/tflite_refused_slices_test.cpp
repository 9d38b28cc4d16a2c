// TFLite operators that cut, choose, scatter and resize: operands that do not fit.

#include <limits>

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_slices {
namespace {

using Dims = std::vector<int32_t>;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kInts = fb::TensorType::Int32;

Status SliceOf(const Dims& shape, const Dims& begins, const Dims& sizes) {
  return OneOp("SLICE").In(shape).Ints(begins).Ints(sizes).Import();
}

Status StridedSliceOf(const Dims& shape, const Dims& begin, const Dims& end, const Dims& strides,
                      const fb::StridedSliceOptionsT& masks = {}) {
  OneOp op("STRIDED_SLICE");
  return op.In(shape).Ints(begin).Ints(end).Ints(strides).With(masks).Import();
}

Status UpdateOf(const Dims& shape, const Dims& update) {
  return OneOp("DYNAMIC_UPDATE_SLICE").In(shape).In(update).In({2}, kInts).Import();
}

Status ReversedSequence(const Dims& shape, int time, int batch) {
  fb::ReverseSequenceOptionsT o;
  o.seq_dim = time, o.batch_dim = batch;
  return OneOp("REVERSE_SEQUENCE").In(shape).Ints({1, 1}).With(o).Import();
}

const Refusal kSlices[] = {
    {"BeginBeforeTheFirst", MICRORT_STATUS(SliceOf({4}, {-1}, {2})), "2 elements at -1 of dimension 0"},
    {"NegativeSize", MICRORT_STATUS(SliceOf({4}, {1}, {-2})), "-2 elements at 1 of dimension 0"},
    {"SliceBehindTheEnd", MICRORT_STATUS(SliceOf({2, 4}, {0, 3}, {2, 2})), "2 elements at 3 of dimension 1"},
    {"SliceOfSomeDimensions", MICRORT_STATUS(SliceOf({2, 4}, {0}, {1})),
     "1 begins, 1 sizes for 2 dimensions"},
    {"BatchesBeforeAnotherAxis",
     [] {
       fb::GatherOptionsT o;
       o.axis = 0, o.batch_dims = 1;
       return OneOp("GATHER").In({2, 4}).In({2, 1}, kInts).With(o).Import();
     },
     "axis 0 with 1 batch dimensions"},
    {"BeginsOfAnotherCount", MICRORT_STATUS(StridedSliceOf({4}, {0, 0}, {2}, {1})),
     "2 begins, 1 ends, 1 strides"},
    {"MoreEntriesThanAMaskHas",
     [] {
       fb::StridedSliceOptionsT masks;
       masks.new_axis_mask = -1;
       const Dims zeros(32, 0);
       return StridedSliceOf({4}, zeros, zeros, Dims(32, 1), masks);
     },
     "32 entries"},
    {"StrideOfZero", MICRORT_STATUS(StridedSliceOf({4}, {0}, {2}, {0})), "stride 0"},
    {"MoreEntriesThanDimensions", MICRORT_STATUS(StridedSliceOf({4}, {0, 0}, {1, 1}, {1, 1})),
     "2 slices of a tensor with 1 dimensions"},
    {"UpdateOfOpenShape", MICRORT_STATUS(UpdateOf({-1, 4}, {1, 1})), "a shape that is not fixed",
     kUnsupported},
    {"UpdateOfAnotherRank", MICRORT_STATUS(UpdateOf({2, 4}, {1})), "an update of 1 dimensions for 2"},
    {"UpdateThatIsTooLarge", MICRORT_STATUS(UpdateOf({2, 4}, {3, 1})), "an update of 3 elements for 2"},
    {"LargerUpdateOfNothing", MICRORT_STATUS(UpdateOf({2, 4}, {3, 0})), "an update of 3 elements for 2"},
};

Status ResizedTo(const Dims& size, const fb::ResizeBilinearOptionsT& o = {}) {
  return OneOp("RESIZE_BILINEAR").In({1, 2, 2, 1}).Ints(size).With(o).Import();
}

Status SegmentsOf(int rows, fb::TensorType type) {
  OneOp op("UNSORTED_SEGMENT_SUM");
  return op.In({2, 3}, type).Ints({0, 1}).Ints({rows}).Out({}, type).Import();
}

Status SegmentSumOf(const std::vector<int64_t>& ids) {
  OneOp op("SEGMENT_SUM");
  op.In({2, 3});
  op.op().inputs.push_back(op.builder().Constant("ids", {2}, fb::TensorType::Int64, ids));
  return op.Import();
}

Status SegmentSumBy(const Dims& shape_of_ids) {
  OneOp op("SEGMENT_SUM");
  op.In({2, 3}).Ints({0, 1}).builder().graph().tensors.back()->shape = shape_of_ids;
  return op.Import();
}

const Refusal kChoices[] = {
    {"CornersAndPixelCenters",
     [] {
       fb::ResizeBilinearOptionsT o;
       o.align_corners = o.half_pixel_centers = true;
       return ResizedTo({4, 4}, o);
     },
     "align_corners and half_pixel_centers exclude each other"},
    {"SizeOfThreeNumbers", MICRORT_STATUS(ResizedTo({4, 4, 1})), "a size of 3 numbers"},
    {"IndicesOfThreeDimensions",
     MICRORT_STATUS(
         OneOp("SPARSE_TO_DENSE").In({1, 1, 1}, kInts).Ints({4}).In({1, 1}).Numbers({}, {0}).Import()),
     "indices of 3 dimensions"},
    {"SegmentIdsOfTwoDimensions", MICRORT_STATUS(SegmentSumBy({1, 2})), "segment ids of 2 dimensions",
     kUnsupported},
    {"SegmentBeforeTheFirst", MICRORT_STATUS(SegmentSumOf({-1, 0})), "segment id -1"},
    {"SegmentBehindAllOthers", MICRORT_STATUS(SegmentSumOf({0, std::numeric_limits<int64_t>::max()})),
     "segment id 9223372036854775807"},
    {"NegativeNumberOfSegments", MICRORT_STATUS(SegmentsOf(-1, fb::TensorType::Float32)), "-1 segments"},
    {"LargestOfAScalar", MICRORT_STATUS(OneOp("TOPK_V2").In({}).Ints({1}).Out().Out({}, kInts).Import()),
     "the largest elements of a scalar"},
    {"NegativeDepth",
     [] {
       OneOp op("ONE_HOT");
       op.In({2}, kInts).Ints({-1}).Numbers({}, {1}).Numbers({}, {0}).With(fb::OneHotOptionsT());
       return op.Import();
     },
     "depth -1"},
    {"TimeAndBatchAreOne", MICRORT_STATUS(ReversedSequence({2, 2}, 1, 1)), "time and batch are dimension 1"},
    {"SoftmaxOfAScalar", MICRORT_STATUS(OneOp("SOFTMAX").In({}).With(fb::SoftmaxOptionsT()).Import()),
     "the softmax of a scalar"},
    {"LogSoftmaxOfAScalar", MICRORT_STATUS(OneOp("LOG_SOFTMAX").In({}).Import()), "the softmax of a scalar"},
};

MICRORT_EXPECT_REFUSALS(TfliteRefusedSlices, kSlices);
MICRORT_EXPECT_REFUSALS(TfliteRefusedChoices, kChoices);

}  // namespace
}  // namespace micrort::testing::tflite_refused_slices
