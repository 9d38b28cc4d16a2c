#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include "tools/io/platform/process.h"
// After windows.h.
#include <psapi.h>
#include <shellapi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/io/platform/utf16.h"

namespace micrort::io {

// Streams that are closed stay closed here: a file takes no number of theirs but by its own will.
void PrepareStreams() {
  _setmode(_fileno(stdout), _O_BINARY);
  _setmode(_fileno(stderr), _O_BINARY);
  SetConsoleOutputCP(CP_UTF8);
}

char** Utf8Arguments(int* argc, char** argv) {
  static std::vector<std::string> texts;
  static std::vector<char*> arguments;
  wchar_t** const wide = CommandLineToArgvW(GetCommandLineW(), argc);
  if (wide == nullptr) return argv;
  for (int i = 0; i < *argc; ++i) texts.push_back(Utf8(wide[i]));
  LocalFree(wide);
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  return arguments.data();
}

double CpuMilliseconds() {
  constexpr double kMillisecondsOfUnit = 1e-4;
  FILETIME begin, end, kernel, user;
  GetProcessTimes(GetCurrentProcess(), &begin, &end, &kernel, &user);
  const auto units = [](const FILETIME& t) { return uint64_t{t.dwHighDateTime} << 32 | t.dwLowDateTime; };
  return static_cast<double>(units(kernel) + units(user)) * kMillisecondsOfUnit;
}

size_t PeakRssBytes() {
  PROCESS_MEMORY_COUNTERS counters{};
  GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  return counters.PeakWorkingSetSize;
}

uint64_t PhysicalMemoryBytes() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return GlobalMemoryStatusEx(&status) ? status.ullTotalPhys : 0;
}

bool ErrorsAreShown() { return _isatty(_fileno(stderr)) != 0; }

}  // namespace micrort::io
