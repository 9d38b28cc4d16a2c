#pragma once
// UltraFace and networks with the same inputs and outputs.

#include <micrort/micrort.h>

#include <string>
#include <vector>

#include "examples/common/picture.h"

namespace examples {

// Corners relative to the picture: 0 is its left or upper edge, 1 its right or lower one.
struct Face {
  float left = 0, top = 0, right = 0, bottom = 0;
  float score = 0;  // 0 to 1
};

class FaceDetector {
 public:
  // kInvalidArgument unless the network takes 1x3xHxW and gives scores 1xNx2 and boxes 1xNx4, all float32.
  static micrort::Result<FaceDetector> Load(const std::string& model_path);

  // Faces in an RGB picture of any size, one a face, best first; `threshold` is the lowest score.
  micrort::Result<std::vector<Face>> Detect(const Picture& picture, float threshold);

 private:
  FaceDetector(micrort::Model model, micrort::Interpreter interpreter)
      : model_(std::move(model)), interpreter_(std::move(interpreter)) {}
  micrort::Status CheckNetwork();
  void FillInput(const Picture& picture);

  // In this order, because the model must outlive its interpreter.
  micrort::Model model_;
  micrort::Interpreter interpreter_;
  // Positions of the two outputs, which exporters write in either order.
  size_t scores_ = 0, boxes_ = 0;
};

}  // namespace examples
