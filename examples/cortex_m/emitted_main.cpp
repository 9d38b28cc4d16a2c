// Runs app::Net, a network compiled ahead of time, on an input from a file of the host, and writes its
// results, one after another, into another: "PROGRAM INPUT OUTPUTS" is the command line. Prints what it took
// as lines "name value".

#include <new>

#include "examples/cortex_m/clock.h"
#include "examples/cortex_m/semihosting.h"
#include "examples/cortex_m/sizes.h"
#include "examples/cortex_m/stack.h"
#include "net.h"

namespace {

using app::Net;
using semihosting::Fail;
using semihosting::NextWord;
using semihosting::Print;
using semihosting::Write;

char line[512];
alignas(
    Net) unsigned char place[sizeof(Net)];  // a static object would want its constructor run before main()

}  // namespace

int main() {
  static_assert(Net::kNumArgs == 1 && Net::kNumResults == 1);
  if (!semihosting::CommandLine(line, sizeof line)) return 1;
  char* rest = line;
  NextWord(&rest);
  const char* const input = NextWord(&rest);
  const char* const outputs = NextWord(&rest);

  Net& net = *new (place) Net;
  if (!semihosting::ReadFile(input, net.arg0_data(), Net::arg0_size())) {
    return Fail("the input cannot be read or has another size");
  }
  const Clock clock;
  if (!net.Run()) return Fail(net.error_msg());
  uint32_t ticks = 0;
  const bool fits = clock.Ticks(&ticks);
  semihosting::OutputFile file(outputs);
  if (!file.Write(net.result0_data(), Net::result0_size())) return Fail("the outputs cannot be written");
  Print("flash", BytesOf(flash_bytes) - Net::kConstantBytes);
  Print("model", Net::kConstantBytes);
  Print("arena", Net::kBytes);
  Print("memory", BytesOf(data_bytes) - sizeof line);  // all variables but those of this main()
  Print("stack", StackBytes());
  if (fits) Print("ticks", ticks);
  return 0;
}
