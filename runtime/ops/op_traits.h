#pragma once
// What is known of an operator by its code: one row each. Passes, quantization and the checks of a loaded
// file ask here; what options decide beside the code is in converter/ir/op_facts.h.

#include <cstddef>
#include <cstdint>

#include "schema/micrort_generated.h"

namespace micrort {

// Positions of the inputs that Conv2D, DepthwiseConv2D, ConvTranspose2D and MatMul have in common; the last
// one has no residual.
enum LayerInput { kLayerX = 0, kLayerWeights = 1, kLayerBias = 2, kLayerResidual = 3, kLayerSlopes = 4 };

enum class Operand : uint8_t {
  kNone,
  kData,       // its elements are what the operator computes with or moves
  kWeights,    // of a layer
  kBias,       // added to each output channel
  kResidual,   // added to the result, shaped as it
  kSlopes,     // of an activation, one an output channel
  kParameter,  // shapes, axes, indices and the like
  kGraph,      // of an operator with graphs of its own: what they read
};

// Where the output channels of the weights are.
enum class Channels : uint8_t { kNone, kFirst, kLast, kColumns };

enum class Holds : uint8_t { kNever, kByOptions, kAlways };

// How an operator takes part in an int8 region.
enum class Int8Role : uint8_t {
  kNone,         // has no int8 form
  kLayer,        // weights times int8 input; gives int8 or float
  kElementwise,  // computes; inputs and output have quantizations of their own
  kPassThrough,  // moves elements: output quantized as input 0
  kConcat,       // moves elements of several inputs
};

constexpr size_t kMaxOperands = 5;

struct OpTraits {
  schema::OpCode code;
  Operand operands[kMaxOperands];  // of the inputs; of those behind, the last one
  Channels channels;
  uint8_t weights_rank;    // of MatMul: at least
  bool int4;               // takes int4 weights
  Holds moves_data;        // the output has the elements of data operands, as they are
  Holds keeps_dimensions;  // every dimension of the output is that of the data operands, so any storage order
                           // does
  Int8Role int8;
  Holds has_int8;  // kByOptions: some have the role, others none
};

namespace traits_rows {

using schema::OpCode;

constexpr Operand kNone = Operand::kNone, kData = Operand::kData, kWeights = Operand::kWeights,
                  kBias = Operand::kBias, kResidual = Operand::kResidual, kSlopes = Operand::kSlopes,
                  kParam = Operand::kParameter, kGraph = Operand::kGraph;
constexpr Holds kNever = Holds::kNever, kOptions = Holds::kByOptions, kAlways = Holds::kAlways;

constexpr OpTraits Layer(OpCode code, Channels channels, uint8_t rank, bool int4,
                         Operand fourth = kResidual) {
  return {code,     {kData, kWeights, kBias, fourth, kSlopes},
          channels, rank,
          int4,     kNever,
          kNever,   Int8Role::kLayer,
          kAlways};
}

// Those behind the fourth are as it.
struct Operands {
  Operand list[4];
};
constexpr Operands kUnary = {{kData, kNone, kNone, kNone}};              // x
constexpr Operands kAllData = {{kData, kData, kData, kData}};            // any number of them
constexpr Operands kWithParameters = {{kData, kParam, kParam, kParam}};  // x, and how
constexpr Operands kParametersOnly = {{kParam, kParam, kParam, kParam}};
constexpr Operands kGraphs = {{kParam, kGraph, kGraph, kGraph}};

constexpr OpTraits Row(OpCode code, const Operands& in, Holds moves_data, Holds keeps_dimensions,
                       Int8Role int8 = Int8Role::kNone, Holds has_int8 = kNever) {
  return {code,
          {in.list[0], in.list[1], in.list[2], in.list[3], in.list[3]},
          Channels::kNone,
          0,
          false,
          moves_data,
          keeps_dimensions,
          int8,
          has_int8};
}

// In the order of the codes.
constexpr OpTraits kTable[] = {
    Layer(OpCode::Conv2D, Channels::kFirst, 4, true),
    Layer(OpCode::DepthwiseConv2D, Channels::kLast, 3, false),
    Layer(OpCode::ConvTranspose2D, Channels::kFirst, 4, true, kNone),
    Layer(OpCode::MatMul, Channels::kColumns, 2, true),
    //                                          moves data, keeps dimensions
    Row(OpCode::Pool2D, kUnary, kOptions, kNever, Int8Role::kElementwise, kOptions),
    Row(OpCode::Unary, kUnary, kOptions, kAlways, Int8Role::kElementwise, kOptions),
    Row(OpCode::Binary, kAllData, kNever, kAlways, Int8Role::kElementwise, kOptions),
    Row(OpCode::Reduce, kWithParameters, kNever, kOptions, Int8Role::kElementwise, kOptions),
    Row(OpCode::Softmax, kUnary, kNever, kAlways, Int8Role::kElementwise, kAlways),
    Row(OpCode::Transpose, kUnary, kAlways, kNever, Int8Role::kPassThrough, kAlways),
    Row(OpCode::Reshape, kWithParameters, kAlways, kNever, Int8Role::kPassThrough, kAlways),
    Row(OpCode::Concat, kAllData, kAlways, kAlways, Int8Role::kConcat, kAlways),
    Row(OpCode::Slice, kWithParameters, kAlways, kOptions, Int8Role::kPassThrough, kAlways),
    Row(OpCode::Pad, kWithParameters, kOptions, kOptions, Int8Role::kPassThrough, kOptions),
    Row(OpCode::Gather, kWithParameters, kOptions, kNever, Int8Role::kPassThrough, kAlways),
    Row(OpCode::Resize, kWithParameters, kOptions, kOptions, Int8Role::kPassThrough, kOptions),
    Row(OpCode::Cast, kUnary, kOptions, kAlways),
    Row(OpCode::Quantize, kUnary, kNever, kAlways),
    Row(OpCode::Dequantize, kUnary, kNever, kAlways),
    Row(OpCode::Select, kAllData, kNever, kAlways),
    Row(OpCode::Shape, kParametersOnly, kNever, kNever),
    Row(OpCode::Expand, kWithParameters, kAlways, kOptions, Int8Role::kPassThrough, kAlways),
    Row(OpCode::Tile, kWithParameters, kAlways, kOptions, Int8Role::kPassThrough, kAlways),
    Row(OpCode::If, kGraphs, kNever, kNever),
    Row(OpCode::Loop, kGraphs, kNever, kNever),
    {OpCode::Recurrent,
     {kData, kWeights, kBias, kParam, kParam},
     Channels::kFirst,
     2,
     false,
     kNever,
     kNever,
     Int8Role::kNone,
     kNever},
    Row(OpCode::GatherND, kWithParameters, kAlways, kNever, Int8Role::kPassThrough, kAlways),
    Row(OpCode::ScatterND, {{kData, kParam, kData, kNone}}, kNever, kNever),
    Row(OpCode::GatherElements, kWithParameters, kAlways, kNever, Int8Role::kPassThrough, kAlways),
    Row(OpCode::ScatterElements, {{kData, kParam, kData, kNone}}, kNever, kNever),
    Row(OpCode::TopK, kWithParameters, kNever, kNever),
    Row(OpCode::CumulativeSum, kWithParameters, kNever, kNever),
    Row(OpCode::NonZero, kUnary, kNever, kNever),
    Row(OpCode::Unique, kUnary, kNever, kNever),
    Row(OpCode::NonMaxSuppression, {{kData, kData, kParam, kParam}}, kNever, kNever),
    Row(OpCode::GridSample, {{kData, kParam, kNone, kNone}}, kNever, kNever),
    Row(OpCode::RoiAlign, kWithParameters, kNever, kNever),
    Row(OpCode::Range, kParametersOnly, kNever, kNever),
    Row(OpCode::Random, kParametersOnly, kNever, kNever),
    Row(OpCode::Fourier, {{kData, kData, kParam, kParam}}, kNever, kNever),
    Row(OpCode::Attention, kAllData, kNever, kNever),
    Row(OpCode::Normalize, kAllData, kNever, kNever),
    Row(OpCode::Custom, kAllData, kNever, kNever, Int8Role::kElementwise, kOptions),
    Row(OpCode::Append, {{kData, kParam, kData, kParam}}, kNever, kNever),
    Row(OpCode::ReadCache, kUnary, kNever, kNever),
};
constexpr size_t kRows = sizeof(kTable) / sizeof(kTable[0]);

constexpr bool AreInOrder() {
  for (size_t i = 0; i < kRows; ++i) {
    if (static_cast<size_t>(kTable[i].code) != i) return false;
  }
  return kRows == static_cast<size_t>(OpCode::MAX) + 1;
}
static_assert(AreInOrder(), "a row an operator, in the order of the codes");

}  // namespace traits_rows

// The traits of a code that the schema has.
constexpr const OpTraits& TraitsOf(schema::OpCode code) {
  return traits_rows::kTable[static_cast<size_t>(code)];
}

constexpr Operand OperandOf(schema::OpCode code, size_t input) {
  return TraitsOf(code).operands[input < kMaxOperands ? input : kMaxOperands - 1];
}

// Weights times data: Conv2D, DepthwiseConv2D, ConvTranspose2D, MatMul.
constexpr bool IsLayer(schema::OpCode code) { return TraitsOf(code).int8 == Int8Role::kLayer; }
constexpr bool HasWeights(schema::OpCode code) { return TraitsOf(code).channels != Channels::kNone; }

// A bit for each operator that takes int4 weights, so that whoever asks for nothing else links no table.
constexpr uint64_t Int4Operators() {
  uint64_t operators = 0;
  for (const OpTraits& row : traits_rows::kTable) {
    operators |= uint64_t{row.int4} << static_cast<unsigned>(row.code);
  }
  return operators;
}

}  // namespace micrort
