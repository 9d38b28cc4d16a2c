// Runs app::Net, a language model compiled ahead of time that keeps its caches: reads a prompt and writes the
// most probable tokens after it. The command line is "PROGRAM INPUT OUTPUTS": INPUT has a Request, OUTPUTS
// gets a token of int32 each. If the folder of the class has pieces.h, with the text of each token
// (`constexpr const char* kPieces[]`), the text appears on the console as it is made. Prints what it took as
// lines "name value".

#include <new>

#include "examples/cortex_m/clock.h"
#include "examples/cortex_m/semihosting.h"
#include "examples/cortex_m/sizes.h"
#include "examples/cortex_m/stack.h"
#include "net.h"
#if __has_include("pieces.h")
#include "pieces.h"
#define HAS_PIECES
#endif

namespace {

using app::Net;
using semihosting::Fail;
using semihosting::NextWord;
using semihosting::Print;
using semihosting::Write;

struct Request {
  int32_t tokens;         // to write
  int32_t prompt_tokens;  // at least one
  int32_t prompt[14];
};

char line[512];
Request request;
alignas(
    Net) unsigned char place[sizeof(Net)];  // a static object would want its constructor run before main()

// Caches count positions themselves, or the model has an input for them behind its tokens.
template <typename Class>
bool Read(Class& net, int32_t token, int32_t position) {
  *net.arg0_data() = token;
  if constexpr (Class::kNumArgs > 1) *net.arg1_data() = position;
  return net.Run();
}

int32_t MostProbable(const float* scores, int32_t count) {
  int32_t best = 0;
  for (int32_t i = 1; i < count; ++i) best = scores[i] > scores[best] ? i : best;
  return best;
}

void Show([[maybe_unused]] int32_t token) {
#ifdef HAS_PIECES
  Write(kPieces[token]);
#endif
}

}  // namespace

int main() {
  static_assert(Net::kNumArgs <= 2 && Net::kNumResults == 1);
  if (!semihosting::CommandLine(line, sizeof line)) return 1;
  char* rest = line;
  NextWord(&rest);
  const char* const input = NextWord(&rest);
  semihosting::OutputFile file(NextWord(&rest));
  if (!semihosting::ReadFile(input, &request, sizeof request) || request.prompt_tokens < 1 ||
      request.prompt_tokens > static_cast<int32_t>(sizeof request.prompt / sizeof request.prompt[0])) {
    return Fail("the input cannot be read, has another size, or a prompt that is too long");
  }

  Net& net = *new (place) Net;
  int32_t position = 0;
  for (; position + 1 < request.prompt_tokens; ++position) {
    if (!Read(net, request.prompt[position], position)) return Fail(net.error_msg());
  }
  int32_t token = request.prompt[position];
  uint32_t ticks = 0;
  bool fits = true;
  for (int32_t i = 0; i < request.tokens; ++i, ++position) {
    const Clock clock;
    if (!Read(net, token, position)) return Fail(net.error_msg());
    fits = clock.Ticks(&ticks);
    token = MostProbable(net.result0_data(), Net::result0_count());
    Show(token);
    if (!file.Write(&token, sizeof token)) return Fail("the outputs cannot be written");
  }
  Write("\n");
  Print("flash", BytesOf(flash_bytes) - Net::kConstantBytes);
  Print("model", Net::kConstantBytes);
  Print("arena", Net::kBytes);
  Print("memory", BytesOf(data_bytes) - sizeof line - sizeof request);  // but those of this main()
  Print("stack", StackBytes());
  if (fits) Print("ticks", ticks);  // of the last token
  return 0;
}
