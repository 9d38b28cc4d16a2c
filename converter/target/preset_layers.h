#pragma once
// Layers of a file that the library of a microcontroller's preset leaves out (MICRORT_FLOAT_LAYERS=OFF): it
// takes the file as unsupported, whatever memory there is.

#include <string>
#include <vector>

#include "schema/micrort_generated.h"

namespace micrort::target {

struct LayerLeftOut {
  std::string op, node;
  std::string computes_in;  // "float32", "int4 weights"
};

// Of the entry's program that the file states for this target, a microcontroller; empty too where it states
// none.
std::vector<LayerLeftOut> LayersLeftOut(const schema::Model& model, const std::string& target);

// What to say and to do about them, some of them by name.
std::string LeftOutText(const std::vector<LayerLeftOut>& layers, const std::string& target);

}  // namespace micrort::target
