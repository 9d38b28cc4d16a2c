// Reads utility-meter pictures with one or more converted models and compares them in a table.

#include <cstdio>
#include <cstring>

#include "examples/meter_reader/table.h"

namespace {

constexpr char kUsage[] =
    "usage: meter_reader DATA_FOLDER MODEL.fb...\n"
    "Reads the pictures and the test crops of the folder with each model and prints one table.\n"
    "example: meter_reader examples/meter_reader float.fb fp16.fb int8.fb\n";

int Fail(const micrort::Status& status) {
  std::fprintf(stderr, "meter_reader: error: %s\n", status.message());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (argc < 3) {
    std::fputs(kUsage, stderr);
    return 1;
  }
  const std::string folder = argv[1];
  const auto meters = examples::ReadMeterPictures(folder);
  if (!meters.ok()) return Fail(meters.status());
  const auto crops =
      examples::ReadDigitCrops(folder, examples::DigitReader::kWidth * examples::DigitReader::kHeight);
  if (!crops.ok()) return Fail(crops.status());

  std::vector<examples::Score> scores;
  for (int i = 2; i < argc; ++i) {
    auto score = examples::Evaluate(argv[i], meters.value(), crops.value());
    if (!score.ok()) return Fail(score.status());
    scores.push_back(std::move(*score));
  }
  examples::PrintTable(meters.value(), scores);
  return 0;
}
