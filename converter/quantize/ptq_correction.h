#pragma once
// What is done against the error of int8, beside choosing ranges of activations.

namespace micrort::quantize {

class WeightMemo;

struct PtqCorrection {
  bool equalize = true;       // channels between layers are scaled to one size: see equalize.h
  bool weight_ranges = true;  // scales of weights by least squares, else by the largest weight
  bool bias = true;           // biases take off the mean error that rounded weights make
  bool rounding = true;       // weights are rounded for the inputs that samples show: see gptq.h
  bool balance = true;  // errors of rounded weights that no samples are known for add up to nearly nothing
  WeightMemo* memo = nullptr;  // of a search that quantizes the same weights again; else null
};

}  // namespace micrort::quantize
