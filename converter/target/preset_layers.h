#pragma once
// Layers of a file, and operators of int16, that the library of a microcontroller's preset leaves out
// (MICRORT_FLOAT_LAYERS=OFF, MICRORT_INT16=OFF): it takes the file as unsupported, whatever memory there is.

#include <string>
#include <vector>

#include "schema/micrort_generated.h"

namespace micrort::target {

struct LayerLeftOut {
  std::string op, node;
  std::string computes_in;  // "float32", "int16", "int4 weights"
};

// Layers of the entry's program that the file has for this target, a microcontroller; empty, too, where it
// has none.
std::vector<LayerLeftOut> LayersLeftOut(const schema::Model& model, const std::string& target);

// The options of a library that computes them, "MICRORT_FLOAT_LAYERS=ON and MICRORT_INT16=ON"; empty without
// any.
std::string OptionsFor(const std::vector<LayerLeftOut>& layers);

// What to say and to do about them, some of them by name.
std::string LeftOutText(const std::vector<LayerLeftOut>& layers, const std::string& target);

}  // namespace micrort::target
