#ifndef MICRORT_OPERATORS_H
#define MICRORT_OPERATORS_H
/*
 * The operators of a model file, in the order of their codes: X(name) for each but Custom, whose
 * implementations programs bring along (micrort/custom_op.h). C99 and C++.
 */

#define MICRORT_OPERATORS(X) \
  X(Conv2D)                  \
  X(DepthwiseConv2D)         \
  X(ConvTranspose2D)         \
  X(MatMul)                  \
  X(Pool2D)                  \
  X(Unary)                   \
  X(Binary)                  \
  X(Reduce)                  \
  X(Softmax)                 \
  X(Transpose)               \
  X(Reshape)                 \
  X(Concat)                  \
  X(Slice)                   \
  X(Pad)                     \
  X(Gather)                  \
  X(Resize)                  \
  X(Cast)                    \
  X(Quantize)                \
  X(Dequantize)              \
  X(Select)                  \
  X(Shape)                   \
  X(Expand)                  \
  X(Tile)                    \
  X(If)                      \
  X(Loop)                    \
  X(Recurrent)               \
  X(GatherND)                \
  X(ScatterND)               \
  X(GatherElements)          \
  X(ScatterElements)         \
  X(TopK)                    \
  X(CumulativeSum)           \
  X(NonZero)                 \
  X(Unique)                  \
  X(NonMaxSuppression)       \
  X(GridSample)              \
  X(RoiAlign)                \
  X(Range)                   \
  X(Random)                  \
  X(Fourier)                 \
  X(Attention)               \
  X(Normalize)               \
  X(Append)                  \
  X(ReadCache)

#endif
