#pragma once
// Convolutions that another library computes, by objects of its own (xnnpack/). The runtime knows of it what
// is here alone, and offers it only to those who choose algorithms.

#include "kernels/base/status.h"
#include "kernels/conv_call/conv_call.h"

namespace micrort {

// Threads of the library.
struct ExternalThreads;
// One layer, for one interpreter: it is not plain data, and holds weights in memory of its own.
struct ExternalLayer;

struct ExternalLibrary {
  // Whether it runs on this CPU.
  bool (*is_available)();
  // The algorithm that computes such layers, of these weights (data and scales, in any order) and without a
  // residual; null: none. Beside what conv2d_algorithm.h says of them, such algorithms
  //   - need neither scratch nor packed weights, and take an ExternalLayer in the place of these when they
  //     run,
  //   - copy the ConvWeights that `pack` is given to its destination, for `create`,
  //   - have no number, so that no file can state them.
  const Conv2DAlgorithm* (*find)(const Conv2DParams& p, const ConvWeights& weights);
  // So many, the calling thread included.
  Status (*start_threads)(int count, ExternalThreads** threads);
  void (*stop_threads)(ExternalThreads* threads);
  // `tensors` are those of a run, without packed weights and scratch: later ones may lie elsewhere. `threads`
  // outlive the layer; null: the calling thread alone. Neither weights nor bias are read after this.
  Status (*create)(const ConvCall& call, const ConvWeights& weights, const ConvTensors& tensors,
                   ExternalThreads* threads, ExternalLayer** layer);
  void (*destroy)(ExternalLayer* layer);
  // Bytes behind x that it may read, and not use.
  size_t reads_beyond;
};

// A part (kernels/base/part.h), which whoever links micrort_xnnpack has.
extern const ExternalLibrary kExternalLibrary;

}  // namespace micrort
