#pragma once
// What a conversion tells at its end.

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "converter/frontend/frontend.h"
#include "converter/ir/graph.h"
#include "converter/ir/size/input_sizes.h"
#include "converter/observe/samples.h"
#include "converter/options.h"
#include "converter/plan/memory_regions.h"
#include "converter/quantize/quant_report.h"
#include "converter/target/pack_weights.h"
#include "converter/target/preset_layers.h"
#include "kernels/base/status.h"

namespace micrort::report {

// What figures are for.
struct Device {
  std::string name;  // as --target takes it
  CpuFeatures features = 0;
  int threads = 1;
};

struct Summary {
  std::vector<frontend::ConstantInput> constant_inputs;
  std::vector<ir::size::FixedDim> fixed_dimensions;
  size_t ops_before = 0;  // of the graph as it was imported
  size_t ops_after = 0;
  size_t transposes = 0;       // left among these
  size_t edge_transposes = 0;  // of which turn an input or output of the graph into another layout
  uint64_t file_bytes = 0;
  uint64_t weight_bytes = 0;
  uint64_t cache_bytes = 0;  // of caches that the interpreter keeps, part of the arena
  std::string cache_type;    // of their elements; empty without them
  std::string device;        // that the figures below are for: the target, or this machine
  int threads = 1;
  uint64_t packed_bytes = 0;         // of all packed weights, be they in the file
  uint64_t packed_in_ram_bytes = 0;  // of those that the device packs as it loads the file
  uint64_t arena_bytes = 0;          // exact, scratch included
  uint64_t arena_lower_bound = 0;
  // All in, of a microcontroller that decides nothing itself (io::MeasureDeviceMemory); 0: there are the
  // interpreter's own tables on top, which are not known.
  uint64_t block_bytes = 0;
  uint64_t class_bytes = 0;  // kBytes of a class compiled ahead of time: all in; 0: there is none
  // Where the arena lies in regions of different speed: the block is beside it then.
  plan::RegionPlan regions;
  std::string device_refusal;  // why a build for it without planning does not run the file; empty: it does
  std::vector<target::LayerLeftOut> left_out;  // that its preset's library does not compute
  // What the device must have beside the file, which may stay in flash.
  uint64_t ram_bytes() const {
    if (class_bytes != 0) return class_bytes;
    const std::vector<uint64_t>& used = regions.used_bytes;
    const uint64_t in_regions = std::accumulate(used.begin(), used.end(), uint64_t{0});
    if (block_bytes != 0) return block_bytes + in_regions;
    return (used.empty() ? arena_bytes : in_regions) + packed_in_ram_bytes;
  }
  std::string target;  // that the file holds packed weights for; empty: none
  target::PackedReport packed_for_target;
  bool is_dynamic = false;      // some shape is: the figures are for dynamic dimensions of 1
  bool has_size_rules = false;  // or for the least sizes that keep the rules of the file
  bool is_measured = false;     // else nothing is known of packed and arena bytes: see MeasureFile
  int given_int8 = 0;           // layers that are int8 in the source model, and stay so
  QuantMode quant = QuantMode::kNone;
  quantize::Report quantization;
};

// As --quant names it.
const char* QuantFlag(QuantMode mode);

// Fills the figures that the graph tells: ops_after, the transposes, caches, is_dynamic.
void CountOperators(const ir::Graph& graph, Summary* summary);
// With those in bodies.
size_t CountNodes(const ir::Graph& graph);

// Plans the file, which holds nothing packed, as the device would and fills the figures from file_bytes to
// arena_lower_bound. Where values of inputs decide shapes, those of `sample` (may be null, in the graph's
// order) are taken; without any, and where dynamic dimensions cannot be 1, packed and arena bytes stay
// unknown.
Status MeasureFile(const AlignedBytes& file, const Device& device, const observe::Sample* sample,
                   Summary* summary);
// The figures that change once the file holds packed weights, and what a microcontroller needs for it in all.
Status MeasurePacked(const AlignedBytes& file, const Device& device, const observe::Sample* sample,
                     Summary* summary);

std::string SummaryText(const Summary& summary);

// Why the library of the device's preset does not run the file; empty: it does.
std::string RefusalText(const Summary& summary);

// One line an operator and reason, with the number of nodes and their names.
std::string UnsupportedText(const std::vector<frontend::UnsupportedOp>& unsupported);

}  // namespace micrort::report
