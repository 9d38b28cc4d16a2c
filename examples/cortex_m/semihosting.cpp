#include "examples/cortex_m/semihosting.h"

#include <cstdint>
#include <cstring>

namespace semihosting {

namespace {

// Numbers of Arm's "Semihosting for AArch32 and AArch64".
enum class Operation : uint32_t {
  kOpen = 0x01,
  kClose = 0x02,
  kWrite0 = 0x04,
  kWrite = 0x05,
  kRead = 0x06,
  kLength = 0x0c,
  kCommandLine = 0x15,
  kExitExtended = 0x20,
};
constexpr uint32_t kReadBinary = 1, kWriteBinary = 5;  // modes of kOpen
constexpr uint32_t kApplicationExit = 0x20026;

int Call(Operation operation, const void* argument) {
  register uint32_t r0 asm("r0") = static_cast<uint32_t>(operation);
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return static_cast<int>(r0);
}

uint32_t Word(const void* pointer) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer)); }

int Open(const char* path, uint32_t mode) {
  const uint32_t arguments[] = {Word(path), mode, static_cast<uint32_t>(std::strlen(path))};
  return Call(Operation::kOpen, arguments);
}

void Close(int handle) {
  const uint32_t arguments[] = {static_cast<uint32_t>(handle)};
  Call(Operation::kClose, arguments);
}

}  // namespace

bool CommandLine(char* text, size_t size) {
  const uint32_t arguments[] = {Word(text), static_cast<uint32_t>(size)};
  return Call(Operation::kCommandLine, arguments) == 0;
}

char* NextWord(char** line) {
  char* const word = *line + std::strspn(*line, " ");
  char* const end = word + std::strcspn(word, " ");
  *line = *end == '\0' ? end : end + 1;
  *end = '\0';
  return word;
}

void Write(const char* text) { Call(Operation::kWrite0, text); }

int Fail(const char* text) {
  Write(text);
  Write("\n");
  return 1;
}

void Print(const char* name, size_t value) {
  char digits[12];
  char* first = digits + sizeof digits - 1;
  *first = '\0';
  do {
    *--first = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  Write(name);
  Write(" ");
  Write(first);
  Write("\n");
}

bool ReadFile(const char* path, void* data, size_t bytes) {
  const int handle = Open(path, kReadBinary);
  if (handle < 0) return false;
  const uint32_t arguments[] = {static_cast<uint32_t>(handle), Word(data), static_cast<uint32_t>(bytes)};
  // Reading gives the number of bytes that are missing.
  const bool read = Call(Operation::kLength, arguments) == static_cast<int>(bytes) &&
                    Call(Operation::kRead, arguments) == 0;
  Close(handle);
  return read;
}

OutputFile::OutputFile(const char* path) : handle_(Open(path, kWriteBinary)) {}

OutputFile::~OutputFile() {
  if (handle_ >= 0) Close(handle_);
}

bool OutputFile::Write(const void* data, size_t bytes) {
  const uint32_t arguments[] = {static_cast<uint32_t>(handle_), Word(data), static_cast<uint32_t>(bytes)};
  return handle_ >= 0 && Call(Operation::kWrite, arguments) == 0;
}

void Exit(int code) {
  const uint32_t arguments[] = {kApplicationExit, static_cast<uint32_t>(code)};
  for (;;) Call(Operation::kExitExtended, arguments);
}

}  // namespace semihosting
