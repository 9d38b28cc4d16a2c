#pragma once
// What a conversion is asked for.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "converter/aot/cpp_options.h"
#include "converter/frontend/frontend.h"
#include "converter/ir/keep_states.h"
#include "converter/ir/max_sizes.h"
#include "converter/observe/ranges.h"
#include "converter/plan/memory_regions.h"
#include "converter/qdq/io_types.h"
#include "converter/quantize/layer_types.h"
#include "converter/quantize/ptq_correction.h"
#include "converter/target/pack_weights.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/rounding.h"
#include "micrort/model_limits.h"
#include "tools/io/image.h"
#include "tools/io/input_shape.h"

namespace micrort {

enum class QuantMode { kNone, kFp16, kInt8, kInt8Weights, kInt4Weights, kAuto, kInt16x8 };
// What QuantMode::kAuto minimizes within the loss: run time, or bytes of weights.
enum class AutoGoal { kByModel, kSpeed, kSize };
enum class IoLayout { kKeep, kNhwc };
enum class VerifyMode { kOff, kOutputs, kLayers };

struct ConvertOptions {
  frontend::SourceFormat format = frontend::SourceFormat::kUnknown;  // kUnknown: told from the content
  std::string weights;  // the second file of formats that have two; empty: none
  QuantMode quant = QuantMode::kNone;
  bool fp16_compute = false;  // of kFp16 and kAuto: layers with half weights may sum up in half
  // Of kInt4Weights, kAuto for size, and of int4 that the source has: quantize inputs as they run.
  bool int8_compute = false;
  bool fp16_activations = false;     // of kFp16: values between such layers are halves; so they may sum up
  std::optional<Rounding> rounding;  // of integers that the source has; absent: as its framework does
  // Folders and files of samples: PATH, or NAME=PATH for models with several inputs. With kInt8: static
  // quantization.
  std::vector<std::string> calibration;
  std::string tokenizer;             // of texts among them
  bool calibrates_on_noise = false;  // of kInt8 without samples, for plans that nobody runs
  observe::CalibrationMethod calibration_method = observe::CalibrationMethod::kMinMax;
  quantize::PtqCorrection correction;
  AutoGoal goal = AutoGoal::kByModel;  // of kAuto; kByModel: size if the model predicts tokens
  double max_loss = 0.01;              // of kAuto: see quantize::ModelLoss
  std::string labels;                  // right answers of the samples: a file, or none
  quantize::LayerTypes layer_types;    // exceptions from `quant`, by name of the node or its output
  io::Preprocess preprocess;           // for pictures among the samples
  bool embeds_preprocess = false;      // the model does it: its picture inputs become pixels of uint8
  std::vector<InputShape> input_shapes;
  std::vector<frontend::InputType> input_types;
  std::vector<frontend::InputValue> input_values;  // inputs that become constants
  std::vector<ir::MaxSize> max_sizes;
  std::vector<ir::StateNames> states;
  std::optional<uint32_t>
      kv_cache;  // rows of caches that become states; absent: they stay inputs and outputs
  std::optional<int64_t>
      kv_chunk;  // rows that a run appends to them at most, where the model leaves that open
  DType kv_type = DType::kFloat32;   // of such caches: float32, float16, or int8 with a scale a row
  bool last_logits = false;          // the output 'logits' gets its last position alone
  std::vector<std::string> feeds;    // tensors that become the inputs; empty: the model's own
  std::vector<std::string> fetches;  // tensors that become the outputs; empty: the model's own
  // Which signature (of a SavedModel, or TFLite's), which graph of a SavedModel, and tfcompile's
  // configuration, a file.
  std::string signature, tag_set, config;
  std::vector<std::string> custom_domains;  // whose unknown operators are the user's own
  std::vector<std::string> custom_ops;      // shared libraries that have such operators
  IoLayout io_layout = IoLayout::kKeep;
  qdq::IoType io_type = qdq::IoType::kKeep;
  std::optional<uint64_t> max_arena;               // bytes
  std::vector<plan::MemoryRegion> memory_regions;  // of a microcontroller; empty: its RAM is all the same
  // What CPUs programs and packed weights are stored for: the first one is judged and measured for.
  target::Target target;
  std::vector<target::Target> other_targets;
  std::optional<aot::CppOptions> cpp;  // emit C++, for the target, beside the file
  VerifyMode verify = VerifyMode::kOff;
  // What another program computed with the source model on the samples: see observe::LoadExpected.
  std::vector<std::string> expected;
  bool report = false;      // measure every layer
  bool embed_test = false;  // inputs and outputs in the file, for micrort-bench --self-test
  std::string dump_passes;  // an empty or new folder for the graph after every pass; "": none
  // For calibration, verification and the exact arena.
  CpuFeatures features = ~CpuFeatures{0};
  ModelLimits limits;     // of the conversion, and of the runs that it makes
  bool progress = false;  // show on stderr what takes long
};

}  // namespace micrort
