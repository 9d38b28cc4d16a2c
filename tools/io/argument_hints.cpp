#include "tools/io/argument_hints.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace micrort::io {
namespace {

// `meant` begins with the option; the first row whose option the program has is taken.
constexpr struct {
  const char *flag, *meant;
} kFlags[] = {{"--fp16", "--quant fp16"},
              {"--half", "--quant fp16"},
              {"--float16", "--quant fp16"},
              {"--int8", "--quant int8"},
              {"--int4", "--quant int4-weights"},
              {"--dtype", "--quant"},
              {"--std", "--scale, the factor 1/std of each channel"},
              {"--stddev", "--scale, the factor 1/std of each channel"},
              {"--norm", "--scale, the factor 1/std of each channel"},
              {"--shape", "--input-shape"},
              {"--shapes", "--input-shape"},
              {"--input-dims", "--input-shape"},
              {"--input-names", "--feeds"},
              {"--inputs", "--feeds"},
              {"--output-names", "--fetches"},
              {"--outputs", "--fetches"},
              {"--format", "--from"},
              {"-f", "--from"},
              {"--dataset", "--calib"},
              {"--data", "--calib"},
              {"--arch", "--target"},
              {"--cpu", "--target"},
              {"--threads", "--target-threads"},
              {"--num-threads", "--threads"},
              {"-t", "--threads"},
              {"-j", "--threads"},
              {"--iterations", "--runs"},
              {"--iters", "--runs"},
              {"--loops", "--runs"},
              {"--repeat", "--runs"},
              {"-n", "--runs"},
              {"--image", "--input"},
              {"--file", "--input"},
              {"-i", "--input"},
              {"-q", "--quiet"},
              {"-o", "--output"},
              {"-o", "--output-dir"},
              {"--port", "--http-port"},
              {"--models", "--model-repository"},
              {"--model-dir", "--model-repository"},
              {"--model-path", "--model-repository"},
              {"--model-store", "--model-repository"},
              {"--model-base-path", "--model-repository"}};

constexpr struct {
  const char *word, *value;
} kValues[] = {{"half", "fp16"},
               {"f16", "fp16"},
               {"float16", "fp16"},
               {"8", "int8"},
               {"i8", "int8"},
               {"8bit", "int8"},
               {"qint8", "int8"},
               {"float32", "none"},
               {"fp32", "none"},
               {"float", "none"},
               {"4", "int4-weights"},
               {"4bit", "int4-weights"},
               {"16x8", "int16x8"},
               {"dynamic", "int8"},
               {"pytorch", "torchscript"},
               {"torch", "torchscript"},
               {"pt", "torchscript"},
               {"jit", "torchscript"},
               {"tf", "tensorflow"},
               {"keras", "tensorflow"},
               {"savedmodel", "tensorflow"},
               {"graphdef", "tensorflow"},
               {"tf-lite", "tflite"},
               {"lite", "tflite"},
               {"prototxt", "caffe"},
               {"c++", "cpp"},
               {"c", "array"},
               {"grey", "gray"},
               {"grayscale", "gray"},
               {"pad", "letterbox"},
               {"center-crop", "crop"},
               {"max", "minmax"},
               {"entropy", "kl"},
               {"kld", "kl"}};

std::string Lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
  return text;
}

bool Has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string OptionMeantBy(const std::string& flag, const std::vector<std::string>& options) {
  const std::string lowered = Lowered(flag);
  for (const auto& row : kFlags) {
    const std::string meant = row.meant;
    if (lowered == row.flag && Has(options, meant.substr(0, meant.find_first_of(" ,")))) return meant;
  }
  return "";
}

std::string ValueMeantBy(const std::string& asked, const std::vector<std::string>& values) {
  const std::string lowered = Lowered(asked);
  for (const auto& row : kValues) {
    if (lowered == row.word && Has(values, row.value)) return row.value;
  }
  return "";
}

std::string DownloadOf(const std::string& argument) {
  const std::string lowered = Lowered(argument);
  if (lowered.compare(0, 8, "https://") != 0 && lowered.compare(0, 7, "http://") != 0) return "";
  constexpr struct {
    const char *host, *page, *file;
  } kHubs[] = {{"//huggingface.co/", "/blob/", "/resolve/"}, {"//github.com/", "/blob/", "/raw/"}};
  std::string address = argument;
  for (const auto& hub : kHubs) {
    const size_t page = address.find(hub.page);
    if (lowered.find(hub.host) == std::string::npos || page == std::string::npos) continue;
    address.replace(page, std::strlen(hub.page), hub.file);
  }
  return "curl -LO '" + address + "'";
}

}  // namespace micrort::io
