#pragma once
// What an algorithm decides about a layer before it runs: plain numbers, made once for a target. Runs read
// them and choose nothing.

#include <cstdint>

#include "kernels/base/kernel_ids.h"

namespace micrort {

// How the work is cut up, in units of the algorithm:
//
//                    rows                      columns     room                  length
//   implicit GEMM    of a task, a multiple of  panels of   rows that scratch     of the depth that is summed
//                    the kernel's              a task      has room for          up at a time (float)
//   depthwise        of a task                 pixels of   -                     pixels that a kernel slides
//                                              a task                            over at most, 0: it does not
//   Winograd, other  tiles of one worker's     blocks      tiles of a block      -
//                    block at most                         of all workers at
//                                                          most
//   Winograd, int8   tiles of a block          -           tiles that scratch    -
//                                                          has room for
struct ConvBlocks {
  int32_t rows = 0, columns = 0, room = 0, length = 0;
  bool by_worker = false;  // Winograd, but of int8: each worker takes whole blocks
};

// Kernels that a layer has no use for are none.
struct ConvPlan {
  KernelId kernel = KernelId::none;      // of the products: GEMM, depthwise, int8 Winograd
  KernelId transform = KernelId::none;   // of Winograd, but of int8
  KernelId dequantize = KernelId::none;  // of narrow weights
  KernelId convert = KernelId::none;     // of float16 weights and tensors, of the input of dynamic layers
  KernelId min_max = KernelId::none;     // of the input of dynamic layers
  KernelId requantize = KernelId::none;  // of int8 and int16 layers
  KernelId activation = KernelId::none;  // that is no clamp
  ConvBlocks blocks;
  // For sub-pixel decomposition: where parts take its second algorithm. For layers of halves in float: rows
  // of the output and images (room) of a stripe.
  ConvBlocks other_blocks;
};

// A number of rows or columns of a block, which may be any number that is no larger.
constexpr int32_t BlockSize(int64_t size) {
  return size < INT32_MAX ? static_cast<int32_t>(size) : INT32_MAX;
}

}  // namespace micrort
