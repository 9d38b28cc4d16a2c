// Finds the faces in a picture and draws a frame around each.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "examples/detect_faces/draw.h"
#include "examples/detect_faces/face_detector.h"

namespace {

using examples::Box;
using examples::Face;
using examples::Picture;

struct Options {
  std::string model, picture, output;
  float threshold = 0.7f;
};

// Rounded to pixels of the picture and clipped to it.
Box ToPixels(const Face& face, const Picture& picture) {
  const auto pixel = [](float relative, int size) {
    return static_cast<int>(std::min(std::max(relative, 0.0f), 1.0f) * static_cast<float>(size) + 0.5f);
  };
  const int left = pixel(face.left, picture.width), top = pixel(face.top, picture.height);
  return {left, top, pixel(face.right, picture.width) - left, pixel(face.bottom, picture.height) - top};
}

micrort::Status DetectFaces(const Options& options) {
  MICRORT_ASSIGN_OR_RETURN(examples::FaceDetector detector, examples::FaceDetector::Load(options.model));
  MICRORT_ASSIGN_OR_RETURN(Picture picture, examples::ReadPicture(options.picture, 3));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<Face> faces, detector.Detect(picture, options.threshold));
  std::printf("%zu faces\nscore     x     y  width height\n", faces.size());
  for (const Face& face : faces) {
    const Box box = ToPixels(face, picture);
    std::printf("%5.3f %5d %5d %6d %6d\n", face.score, box.x, box.y, box.width, box.height);
    DrawFrame(box, &picture);
  }
  return examples::WritePng(options.output, picture);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Finds the faces in a picture and draws a frame around each", "detect_faces");
  app.add_option("MODEL.fb", options.model, "An UltraFace network, converted by mnnconvert")->required();
  app.add_option("PICTURE", options.picture, "A .png, .jpg or .bmp file")->required();
  app.add_option("OUT.png", options.output, "The picture with frames")->required();
  app.add_option("--threshold", options.threshold, "Lowest score of a face")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.footer("\nExample:\n  detect_faces ultraface.fb group.jpg faces.png --threshold 0.8");
  CLI11_PARSE(app, argc, argv);
  if (micrort::Status status = DetectFaces(options); !status.ok()) {
    std::fprintf(stderr, "detect_faces: error: %s\n", status.message());
    return 1;
  }
  return 0;
}
