// Prints the words of a sound file that a keyword network knows.

#include <micrort/text/audio.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "examples/keyword/keyword_spotter.h"

namespace {

struct Options {
  std::string model, sound;
  float threshold = 0.8f;
};

micrort::Status Spot(const Options& options) {
  MICRORT_ASSIGN_OR_RETURN(examples::KeywordSpotter spotter, examples::KeywordSpotter::Load(options.model));
  MICRORT_ASSIGN_OR_RETURN(const micrort::text::Audio sound, micrort::text::ReadWav(options.sound));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> samples,
                           micrort::text::Resample({sound.samples.data(), sound.samples.size()}, sound.rate,
                                                   examples::KeywordFeatures::kRate));
  MICRORT_ASSIGN_OR_RETURN(const std::vector<examples::Heard> words,
                           spotter.Listen(samples, options.threshold));
  for (const examples::Heard& heard : words)
    std::printf("%6.2f s  %-6s %.2f\n", heard.seconds, heard.word.c_str(), static_cast<double>(heard.score));
  std::printf("%zu words\n", words.size());
  return micrort::Status();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Prints the words of a sound file that a keyword network knows", "keyword");
  app.add_option("MODEL.fb", options.model, "A keyword network of MLPerf Tiny, converted by mnnconvert")
      ->required();
  app.add_option("SOUND.wav", options.sound, "A WAV file of any rate")->required();
  app.add_option("--threshold", options.threshold, "Lowest score of a word")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.footer("\nExample:\n  keyword kws.fb speech.wav --threshold 0.9");
  CLI11_PARSE(app, argc, argv);
  if (micrort::Status status = Spot(options); !status.ok()) {
    std::fprintf(stderr, "keyword: error: %s\n", status.message());
    return 1;
  }
  return 0;
}
