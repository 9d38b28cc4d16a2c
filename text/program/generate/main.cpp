// micrort-generate: goes on with a text by a language model.

#include <cstdio>

#include "micrort/text/chat.h"
#include "micrort/text/generate.h"
#include "text/program/generate/report.h"
#include "tools/io/load.h"
#include "tools/io/program.h"
#include "tools/io/session.h"
#include "tools/io/standard_streams.h"

namespace micrort {
namespace {

constexpr char kExample[] =
    "micrort-generate model.fb --tokenizer tokenizer.json --prompt \"Once upon a time\"";

struct Flags {
  std::string model, tokenizer, prompt, chat, system;
  std::vector<int> ids;
  std::vector<std::string> stop, inputs;
  int max_tokens = 128, threads = 1;
  double temperature = 0, top_p = 1, min_p = 0, repetition = 1, presence = 0, frequency = 0;
  int top_k = 0;
  uint64_t seed = 0;
  bool json = false, ignore_end = false, no_special = false;
};

void DeclareText(io::ArgumentParser& parser, Flags* flags) {
  parser.Add("model", &flags->model, "Model file (.fb) of a decoder").Required().TypeName("MODEL");
  parser.Add("--tokenizer", &flags->tokenizer, "tokenizer.json, or a model of SentencePiece")
      .TypeName("FILE");
  io::Option prompt = parser.Add("--prompt", &flags->prompt, "Text to continue").TypeName("TEXT");
  parser.Add("--ids", &flags->ids, "Tokens to continue; without --tokenizer, tokens are printed")
      .SeparatedBy(',')
      .TypeName("N,N...")
      .Excludes(prompt);
  parser
      .Add("--chat", &flags->chat,
           "Format of the prompt, for chat models: llama2, llama3, chatml, gemma, phi3 or mistral")
      .TypeName("FAMILY");
  parser.Add("--system", &flags->system, "System message, with --chat").TypeName("TEXT");
  parser.AddFlag("--no-special", &flags->no_special, "Put no start token before the prompt");
  parser
      .Add("--input", &flags->inputs,
           "Value of an input that is neither tokens nor cache: NAME=FILE (.npy, .npz, .pb)")
      .Repeatable()
      .TypeName("NAME=FILE");
}

void DeclareSampling(io::ArgumentParser& parser, Flags* flags) {
  parser.Add("--max-tokens", &flags->max_tokens, "Largest number of new tokens").InRange(0, 1 << 24);
  parser.Add("--stop", &flags->stop, "Text that ends the answer").Repeatable().TypeName("TEXT");
  parser.AddFlag("--ignore-end", &flags->ignore_end, "Continue after tokens that end a sequence");
  parser.Add("--temperature", &flags->temperature, "0: always the most probable token").FiniteNumbers();
  parser.Add("--top-k", &flags->top_k, "Choose among the N most probable tokens; 0: all").InRange(0, 1 << 30);
  parser
      .Add("--top-p", &flags->top_p,
           "Choose among the most probable tokens that together have this probability")
      .InRange(0.0, 1.0);
  parser
      .Add("--min-p", &flags->min_p,
           "Exclude tokens less probable than this fraction of the most probable one")
      .InRange(0.0, 1.0);
  parser
      .Add("--repetition-penalty", &flags->repetition,
           "Above 1: makes tokens of prompt and answer less probable")
      .FiniteNumbers();
  parser
      .Add("--presence-penalty", &flags->presence,
           "Subtracted from the score of tokens that are in the answer")
      .FiniteNumbers();
  parser
      .Add("--frequency-penalty", &flags->frequency, "Subtracted for each time that a token is in the answer")
      .FiniteNumbers();
  parser.Add("--seed", &flags->seed, "Seed of the random numbers");
  parser.Add("--threads", &flags->threads, "Threads").InRange(1, 64);
  parser.AddFlag("--json", &flags->json, "Print one JSON object at the end instead of text");
}

Status ReadFixedInputs(const Model& model, const Flags& flags, std::vector<text::FixedInput>* out) {
  for (const std::string& given : flags.inputs) {
    io::InputFile file;
    MICRORT_RETURN_IF_ERROR(io::ParseInputFile(given, &file));
    const io::InputSpec* found = nullptr;
    const std::vector<io::InputSpec> specs = io::InputSpecs(model);
    for (const io::InputSpec& spec : specs)
      if (spec.name == file.name) found = &spec;
    if (found == nullptr)
      return MICRORT_ERROR(kInvalidArgument, "--input: the model has no input '%.80s'", file.name.c_str());
    io::NamedArray array;
    MICRORT_RETURN_IF_ERROR(io::LoadInput(file.path, *found, {}, &array));
    text::FixedInput fixed;
    fixed.name = file.name;
    for (const int64_t dim : array.shape) fixed.shape.dims[fixed.shape.rank++] = dim;
    fixed.bytes = array.data;
    out->push_back(std::move(fixed));
  }
  return Status();
}

Status EncodePrompt(const Flags& flags, const text::Tokenizer* tokenizer, std::vector<int32_t>* ids) {
  ids->assign(flags.ids.begin(), flags.ids.end());
  if (!ids->empty()) return Status();
  if (tokenizer == nullptr) return MICRORT_ERROR(kInvalidArgument, "expected --tokenizer for text, or --ids");
  text::EncodeOptions options;
  options.add_special = !flags.no_special;
  if (flags.chat.empty()) return tokenizer->Encode(flags.prompt, ids, options);
  MICRORT_ASSIGN_OR_RETURN(const text::ChatFamily family, text::ChatFamilyOf(flags.chat));
  std::vector<text::ChatMessage> messages;
  if (!flags.system.empty()) messages.push_back({text::ChatMessage::Role::kSystem, flags.system});
  messages.push_back({text::ChatMessage::Role::kUser, flags.prompt});
  std::vector<text::TextPart> parts;
  MICRORT_RETURN_IF_ERROR(text::RenderChat(family, messages, &parts));
  options.add_special = false;
  return tokenizer->Encode(parts, ids, options);
}

text::GenerateOptions OptionsOf(const Flags& flags, const text::Tokenizer* tokenizer) {
  text::GenerateOptions options;
  options.max_tokens = flags.max_tokens;
  options.stop_words = flags.stop;
  options.sampling = {static_cast<float>(flags.temperature), flags.top_k,
                      static_cast<float>(flags.top_p),       static_cast<float>(flags.min_p),
                      static_cast<float>(flags.repetition),  static_cast<float>(flags.presence),
                      static_cast<float>(flags.frequency),   flags.seed};
  if (tokenizer != nullptr && !flags.ignore_end) options.end_tokens = tokenizer->EndTokens();
  return options;
}

Status Answer(const Flags& flags, const text::Tokenizer* tokenizer, text::Decoder* decoder) {
  std::vector<int32_t> prompt;
  MICRORT_RETURN_IF_ERROR(EncodePrompt(flags, tokenizer, &prompt));
  if (prompt.empty()) return MICRORT_ERROR(kInvalidArgument, "the prompt has no token");
  const text::GenerateOptions options = OptionsOf(flags, tokenizer);
  const Span<const int32_t> tokens(prompt.data(), prompt.size());
  AnswerPrinter printer(flags.json);
  Result<text::GenerateResult> result =
      tokenizer == nullptr
          ? text::Generate(decoder, tokens, options, [&](int32_t token) { return printer.AddToken(token); })
          : text::GenerateText(decoder, *tokenizer, tokens, options,
                               [&](const std::string& text) { return printer.AddText(text); });
  if (!result.ok()) return result.status();
  printer.Finish(*result);
  return Status();
}

Status Execute(const Flags& flags, const ModelLimits& limits, CpuFeatures features) {
  if (flags.tokenizer.empty() && (!flags.stop.empty() || !flags.chat.empty()))
    return MICRORT_ERROR(kInvalidArgument, "--stop and --chat need --tokenizer");
  if (flags.chat.empty() && !flags.system.empty())
    return MICRORT_ERROR(kInvalidArgument, "--system needs --chat");
  MICRORT_ASSIGN_OR_RETURN(const Model model, io::OpenModel(flags.model));
  InterpreterOptions options;
  options.threads = flags.threads;
  options.features = features;
  options.limits = limits;
  std::vector<text::FixedInput> fixed;
  MICRORT_RETURN_IF_ERROR(ReadFixedInputs(model, flags, &fixed));
  Result<text::Decoder> decoder = text::Decoder::Create(model, options, fixed);
  if (!decoder.ok()) return decoder.status().WithPrefix("%s", flags.model.c_str());
  if (flags.tokenizer.empty()) return Answer(flags, nullptr, &*decoder);
  MICRORT_ASSIGN_OR_RETURN(const text::Tokenizer tokenizer,
                           text::Tokenizer::FromFile(flags.tokenizer.c_str()));
  return Answer(flags, &tokenizer, &*decoder);
}

int Main(int argc, char** argv) {
  io::ArgumentParser parser("micrort-generate",
                            "Continues a text with a language model, and prints tokens as they are made.",
                            kExample);
  Flags flags;
  DeclareText(parser, &flags);
  DeclareSampling(parser, &flags);
  return io::RunLimited(
      "micrort-generate", parser, argc, argv,
      [&](const ModelLimits& limits, CpuFeatures features) { return Execute(flags, limits, features); });
}

}  // namespace
}  // namespace micrort

int main(int argc, char** argv) {
  return micrort::io::RunMain("micrort-generate", micrort::Main, argc, argv);
}
