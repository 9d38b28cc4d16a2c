#pragma once
// The step of a conversion that makes the optimized float graph what --quant says.

#include <vector>

#include "converter/convert.h"
#include "converter/ir/graph.h"
#include "converter/model_samples.h"
#include "converter/observe/calibrate.h"
#include "converter/quantize/auto_types.h"
#include "converter/quantize/equalize.h"

namespace micrort {

// Whether operators on integers that the source model gives round as TensorFlow Lite's do. What runs uint8
// models today rounds once.
bool RoundsAsTflite(const ConvertOptions& options, const ir::Module& module);

class ModelQuantizer {
 public:
  // `planned`: instruction sets that the model is made for.
  ModelQuantizer(const ConvertOptions& options, CpuFeatures planned, const ModelSamples& samples,
                 ir::Module* module, ConvertResult* result)
      : options_(options), planned_(planned), samples_(samples), module_(*module), result_(*result) {}

  Status Quantize();
  // After it: what inputs and outputs are (--io-type).
  Status SetIoTypes();

  // Scales of values that are not as in the source model.
  const quantize::ChannelScales& scales() const { return scales_; }

 private:
  Status StoreWeights(quantize::LayerType type);
  Status CalibrateOnNoise(observe::Calibration* calibration);
  Status Calibrate(const std::vector<observe::Sample>& samples, bool with_moments,
                   observe::Calibration* calibration);
  Status CalibrateForAuto(bool with_moments, observe::Calibration* calibration);
  bool HasIntegersOnly() const;
  Status KeepGivenInt4();
  void NoteFloatScales();
  Status CheckLayerTypes() const;
  quantize::PoorLayers Poor() const;
  Status QuantizeStatically();
  bool IsForSize() const;
  Status ChooseBits();
  Status ChooseTypes(const observe::Calibration& calibration, quantize::FoundTypes* found);

  const ConvertOptions& options_;
  const CpuFeatures planned_;
  const ModelSamples& samples_;
  ir::Module& module_;
  ConvertResult& result_;
  quantize::ChannelScales scales_;
  observe::Ranges ranges_;            // of floats, where they were calibrated
  quantize::LayerTypes layer_types_;  // options_.layer_types, by name of the node
};

}  // namespace micrort
