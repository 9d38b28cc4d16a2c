// micrort-transcribe: writes what is said in a sound file.

#include <filesystem>

#include "micrort/text/transcribe.h"
#include "text/program/transcribe/printer.h"
#include "tools/io/file.h"
#include "tools/io/file_kinds.h"
#include "tools/io/program.h"
#include "tools/io/standard_streams.h"

namespace micrort {
namespace {

constexpr char kExample[] = "micrort-transcribe whisper-base speech.wav --language en --timestamps";

struct Flags {
  std::string model, audio;
  text::SpeechFiles files;
  text::TranscribeOptions options;
  std::string task = "transcribe", subtitles;
  int threads = 1;
  double temperature = 0;
  bool json = false;
};

void DeclareFiles(io::ArgumentParser& parser, Flags* flags) {
  parser.Add("model", &flags->model, "Folder of encoder.fb, decoder.fb, tokenizer.json; or an encoder")
      .Required()
      .TypeName("MODEL");
  parser.Add("audio", &flags->audio, "Sound: a WAV file of any rate").Required().TypeName("FILE.wav");
  parser.Add("--decoder", &flags->files.decoder, "Decoder (.fb), if MODEL is a file that does not hold both")
      .TypeName("FILE");
  parser.Add("--cross", &flags->files.cross, "Decoder without caches (.fb), for keys of cross attention")
      .TypeName("FILE");
  parser.Add("--tokenizer", &flags->files.tokenizer, "tokenizer.json").TypeName("FILE");
  parser
      .Add("--generation-config", &flags->files.generation_config,
           "generation_config.json, which lists tokens that are not text")
      .TypeName("FILE");
}

void DeclareOptions(io::ArgumentParser& parser, Flags* flags) {
  parser.Add("--language", &flags->options.language, "Language of the speech: en, de and so on, or auto")
      .TypeName("CODE");
  parser.Add("--task", &flags->task, "transcribe (default), or translate: into English")
      .OneOf({"transcribe", "translate"});
  parser
      .Add("--prompt", &flags->options.prompt,
           "Text that precedes the speech; it helps with names and spelling")
      .TypeName("TEXT");
  parser.AddFlag("--timestamps", &flags->options.timestamps, "Print segments with their times");
  io::Option subtitles =
      parser.Add("--subtitles", &flags->subtitles, "Print segments as srt or vtt").OneOf({"srt", "vtt"});
  parser.Add("--max-tokens", &flags->options.max_tokens, "Largest number of tokens for each 30 seconds")
      .InRange(1, 1 << 20);
  parser.Add("--temperature", &flags->temperature, "0 (default): always the most probable token")
      .FiniteNumbers();
  parser.Add("--seed", &flags->options.sampling.seed, "Seed of the random numbers");
  parser.Add("--threads", &flags->threads, "Threads").InRange(1, 64);
  parser.AddFlag("--json", &flags->json, "Print one JSON object at the end instead of text")
      .Excludes(subtitles);
}

void SetIfGiven(const std::string& given, std::string* to) {
  if (!given.empty()) *to = given;
}

Result<text::SpeechFiles> FilesOf(const Flags& flags) {
  text::SpeechFiles files = flags.files;
  const bool is_folder = io::IsDirectory(flags.model);
  if (is_folder) {
    files = text::SpeechFilesIn(flags.model);
    SetIfGiven(flags.files.decoder, &files.decoder);
    SetIfGiven(flags.files.cross, &files.cross);
    SetIfGiven(flags.files.tokenizer, &files.tokenizer);
    SetIfGiven(flags.files.generation_config, &files.generation_config);
  } else {
    if (!std::filesystem::exists(std::filesystem::u8path(flags.model)))
      return MICRORT_ERROR(kIo, "%s: cannot be opened: No such file or directory", flags.model.c_str());
    (files.decoder.empty() ? files.decoder : files.encoder) = flags.model;
  }
  if (files.decoder.empty())
    return MICRORT_ERROR(kInvalidArgument,
                         "%s: expected decoder.fb, decoder_with_past_model.fb or decoder_model.fb in the "
                         "folder, or --decoder",
                         flags.model.c_str());
  if (files.tokenizer.empty())
    return MICRORT_ERROR(kInvalidArgument, "%s: expected %s--tokenizer FILE", flags.model.c_str(),
                         is_folder ? "tokenizer.json in the folder, or " : "");
  return files;
}

// Models of other formats, by name; the error is that of the first file that is one.
Status Explain(const text::SpeechFiles& files, const Status& unread) {
  if (unread.code() != StatusCode::kInvalidModel) return unread;
  for (const std::string& path : {files.encoder, files.decoder, files.cross}) {
    const bool is_file = !path.empty() && std::string(unread.message()).rfind(path, 0) == 0;
    if (is_file) return io::ExplainNoMicrortModel(path, unread);
  }
  return unread;
}

TranscriptPrinter::Form FormOf(const Flags& flags) {
  using Form = TranscriptPrinter::Form;
  if (flags.json) return Form::kJson;
  if (!flags.subtitles.empty()) return flags.subtitles == "srt" ? Form::kSrt : Form::kVtt;
  return flags.options.timestamps ? Form::kSegments : Form::kText;
}

Status Execute(Flags flags, const ModelLimits& limits, CpuFeatures features) {
  MICRORT_ASSIGN_OR_RETURN(const text::SpeechFiles files, FilesOf(flags));
  MICRORT_ASSIGN_OR_RETURN(const text::Audio audio, text::ReadWav(flags.audio));
  Result<text::SpeechModel> model = text::SpeechModel::FromFiles(files);
  if (!model.ok()) return Explain(files, model.status());
  InterpreterOptions options;
  options.threads = flags.threads;
  options.features = features;
  options.limits = limits;
  MICRORT_ASSIGN_OR_RETURN(text::Transcriber transcriber, text::Transcriber::Create(*model, options));
  flags.options.translate = flags.task == "translate";
  flags.options.sampling.temperature = static_cast<float>(flags.temperature);
  flags.options.timestamps = flags.options.timestamps || !flags.subtitles.empty();
  TranscriptPrinter printer(FormOf(flags));
  MICRORT_ASSIGN_OR_RETURN(const text::Transcription made,
                           transcriber.Transcribe(audio, flags.options, printer.Callbacks()));
  printer.Finish(made);
  return Status();
}

int Main(int argc, char** argv) {
  io::ArgumentParser parser("micrort-transcribe",
                            "Writes the words spoken in a sound file, with a Whisper-like model.", kExample);
  Flags flags;
  DeclareFiles(parser, &flags);
  DeclareOptions(parser, &flags);
  return io::RunLimited(
      "micrort-transcribe", parser, argc, argv,
      [&](const ModelLimits& limits, CpuFeatures features) { return Execute(flags, limits, features); });
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) {
  return micrort::io::RunMain("micrort-transcribe", micrort::Main, argc, argv);
}
