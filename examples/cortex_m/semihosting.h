#pragma once
// Files and text of the machine that debugs or emulates the board: Arm's semihosting.

#include <cstddef>

namespace semihosting {

// What the program was started with ("-append" or "arg=" of QEMU), cut to `size` - 1 characters.
bool CommandLine(char* text, size_t size);
// The next word of that text, which ends with a zero then; moves `line` behind it.
char* NextWord(char** line);
void Write(const char* text);                // to the console
int Fail(const char* text);                  // writes it as a line; 1, what main() returns
void Print(const char* name, size_t value);  // as a line "name value"
// Exactly so many bytes of a file; false if it has fewer or more, or cannot be read.
bool ReadFile(const char* path, void* data, size_t bytes);

class OutputFile {
 public:
  explicit OutputFile(const char* path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  bool Write(const void* data, size_t bytes);  // false if not all is written

 private:
  int handle_;
};

[[noreturn]] void Exit(int code);

}  // namespace semihosting
