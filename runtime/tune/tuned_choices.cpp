#include "micrort/tuned_choices.h"

#include <algorithm>
#include <cinttypes>
#include <cstring>

#include "kernels/base/platform/mapped_file.h"
#include "kernels/conv2d/algorithm_variants.h"
#include "runtime/tune/tuned_text.h"

namespace micrort {

namespace {

constexpr char kFormat[] = "micrort-tuned", kVersion[] = "1";
constexpr uint64_t kMaxLayers = 65536, kMaxFileThreads = 1024;
constexpr size_t kMaxText = size_t{16} << 20;

Status CopyText(const char* text, size_t size, FixedArray<char>* out) {
  MICRORT_RETURN_IF_ERROR(out->Allocate(size + 1));
  if (size != 0) std::memcpy(out->data(), text, size);
  return Status();
}

Status ExpectWord(TunedText* text, const char* expected) {
  const char* word = text->NextWord();
  if (word != nullptr && std::strcmp(word, expected) == 0) return Status();
  return MICRORT_ERROR(kInvalidArgument, "line %d: expected '%s', found '%.40s'", text->line(), expected,
                       word == nullptr ? "" : word);
}

// "NAME VALUE" with a value in [0, most].
Status ReadNumber(TunedText* text, const char* name, uint64_t most, uint64_t* out) {
  MICRORT_RETURN_IF_ERROR(ExpectWord(text, name));
  const char* word = text->NextWord();
  if (word != nullptr && ParseNumber(word, 10, out) && *out <= most) return Status();
  return MICRORT_ERROR(kInvalidArgument, "line %d: %s: expected a number up to %" PRIu64 ", found '%.40s'",
                       text->line(), name, most, word == nullptr ? "" : word);
}

}  // namespace

Result<TunedChoices> TunedChoices::FromFile(const char* path) {
  if (path == nullptr) return MICRORT_ERROR(kInvalidArgument, "the path is null");
  MappedFile file;
  if (Status s = file.Open(path); !s.ok()) return s.WithPrefix("%s", path);
  return FromText({reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, path);
}

Result<TunedChoices> TunedChoices::FromText(Span<const char> text, const char* label) {
  TunedChoices choices;
  if (Status s = choices.Parse(text, label); !s.ok()) return s.WithPrefix("%s", label);
  return choices;
}

Status TunedChoices::Parse(Span<const char> text, const char* label) {
  if (text.size() > kMaxText) {
    return MICRORT_ERROR(kInvalidArgument, "expected at most %zu bytes, found %zu", kMaxText, text.size());
  }
  MICRORT_RETURN_IF_ERROR(CopyText(label, std::strlen(label), &label_));
  MICRORT_RETURN_IF_ERROR(CopyText(text.data(), text.size(), &text_));
  TunedText lines(text_.data(), text.size());
  MICRORT_RETURN_IF_ERROR(ParseHeader(&lines));
  MICRORT_RETURN_IF_ERROR(ParseChoices(&lines));
  MICRORT_RETURN_IF_ERROR(lines.NextLine());
  MICRORT_RETURN_IF_ERROR(ExpectWord(&lines, "end"));
  return lines.ExpectEnd();
}

Status TunedChoices::ParseHeader(TunedText* text) {
  MICRORT_RETURN_IF_ERROR(text->NextLine());
  MICRORT_RETURN_IF_ERROR(ExpectWord(text, kFormat));
  MICRORT_RETURN_IF_ERROR(ExpectWord(text, kVersion));
  MICRORT_RETURN_IF_ERROR(text->NextLine());
  MICRORT_RETURN_IF_ERROR(ExpectWord(text, "cpu"));
  cpu_ = text->NextWord();
  CpuFeatures features = 0;
  if (cpu_ == nullptr || !ParseIsa(cpu_, &features)) {
    return MICRORT_ERROR(kInvalidArgument, "line %d: cpu: expected one of %s, found '%.40s'", text->line(),
                         IsaNames(), cpu_ == nullptr ? "" : cpu_);
  }
  isa_ = StrongestIsa(features);
  uint64_t threads = 0, layers = 0;
  MICRORT_RETURN_IF_ERROR(ReadNumber(text, "threads", kMaxFileThreads, &threads));
  MICRORT_RETURN_IF_ERROR(ReadNumber(text, "layers", kMaxLayers, &layers));
  threads_ = static_cast<int>(threads);
  return choices_.Allocate(static_cast<size_t>(layers));
}

Status TunedChoices::ParseChoices(TunedText* text) {
  for (size_t i = 0; i < choices_.size(); ++i) {
    MICRORT_RETURN_IF_ERROR(text->NextLine());
    const char* layer = text->NextWord();
    if (layer == nullptr || !ParseNumber(layer, 16, &choices_[i].layer) ||
        (i > 0 && choices_[i].layer <= choices_[i - 1].layer)) {
      return MICRORT_ERROR(kInvalidArgument,
                           "line %d: expected a layer's number, above the one before, found '%.40s'",
                           text->line(), layer == nullptr ? "" : layer);
    }
    choices_[i].name = text->NextWord();
    if (choices_[i].name == nullptr) {
      return MICRORT_ERROR(kInvalidArgument, "line %d: expected an algorithm", text->line());
    }
    choices_[i].algorithm = FindVariant(choices_[i].name);
  }
  return Status();
}

Status TunedChoices::Choose(const LayerAlgorithms& layer, size_t* choice) const {
  *choice = layer.cheapest;
  if (choices_.empty()) return Status();
  if (StrongestIsa(layer.features) != isa_ || layer.threads != threads_) {
    return MICRORT_ERROR(kInvalidArgument, "%s: measured on %s with %d threads, wanted for %s with %d",
                         label_.data(), cpu_, threads_, IsaName(layer.features), layer.threads);
  }
  const Choice* known = std::lower_bound(choices_.begin(), choices_.end(), layer.layer,
                                         [](const Choice& c, uint64_t wanted) { return c.layer < wanted; });
  if (known == choices_.end() || known->layer != layer.layer) return Status();
  for (size_t i = 0; i < layer.algorithms.size(); ++i) {
    if (layer.algorithms[i].variant != known->algorithm) continue;
    *choice = i;
    return Status();
  }
  return MICRORT_ERROR(kInvalidArgument,
                       "%s: '%.60s' cannot compute layer %016" PRIx64 " here; '%s' can. Measure again",
                       label_.data(), known->name, layer.layer, layer.algorithms[layer.cheapest].name);
}

}  // namespace micrort
