#include "text/speech/speech_model.h"

#include <initializer_list>

#include "text/files/read_file.h"

namespace micrort::text {
namespace {

constexpr size_t kMostConfigBytes = size_t{1} << 24;

// The first of the names that the folder has, or "".
std::string FindIn(const std::string& folder, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string path = folder + "/" + name;
    if (Exists(path)) return path;
  }
  return "";
}

Status LoadIfNamed(const std::string& path, std::optional<Model>* model) {
  if (path.empty()) return Status();
  MICRORT_ASSIGN_OR_RETURN(Model loaded, Model::FromFile(path.c_str()));
  model->emplace(std::move(loaded));
  return Status();
}

}  // namespace

SpeechFiles SpeechFilesIn(const std::string& folder) {
  SpeechFiles files;
  files.encoder = FindIn(folder, {"encoder.fb", "encoder_model.fb"});
  files.decoder = FindIn(folder, {"decoder.fb", "decoder_with_past.fb", "decoder_with_past_model.fb",
                                  "decoder_model_merged.fb", "decoder_model.fb"});
  files.cross = FindIn(folder, {"cross.fb", "decoder_model.fb"});
  if (files.cross == files.decoder) files.cross = "";
  files.tokenizer = FindIn(folder, {"tokenizer.json"});
  files.generation_config = FindIn(folder, {"generation_config.json"});
  return files;
}

Status SpeechModelImpl::LoadRest() {
  MICRORT_RETURN_IF_ERROR(LoadIfNamed(files_.encoder, &encoder_));
  MICRORT_RETURN_IF_ERROR(LoadIfNamed(files_.cross, &cross_));
  if (files_.generation_config.empty()) return Status();
  return ReadWholeFile(files_.generation_config, kMostConfigBytes, &config_);
}

SpeechModel::SpeechModel(std::unique_ptr<SpeechModelImpl> impl) : impl_(std::move(impl)) {}
SpeechModel::SpeechModel(SpeechModel&&) noexcept = default;
SpeechModel& SpeechModel::operator=(SpeechModel&&) noexcept = default;
SpeechModel::~SpeechModel() = default;

Result<SpeechModel> SpeechModel::FromFiles(const SpeechFiles& files) {
  if (files.decoder.empty()) return MICRORT_ERROR(kInvalidArgument, "expected a decoder, such as decoder.fb");
  if (files.tokenizer.empty()) return MICRORT_ERROR(kInvalidArgument, "expected a tokenizer: tokenizer.json");
  MICRORT_ASSIGN_OR_RETURN(Model decoder, Model::FromFile(files.decoder.c_str()));
  MICRORT_ASSIGN_OR_RETURN(Tokenizer tokenizer, Tokenizer::FromFile(files.tokenizer.c_str()));
  auto impl = std::make_unique<SpeechModelImpl>(files, std::move(decoder), std::move(tokenizer));
  MICRORT_RETURN_IF_ERROR(impl->LoadRest());
  return SpeechModel(std::move(impl));
}

}  // namespace micrort::text
