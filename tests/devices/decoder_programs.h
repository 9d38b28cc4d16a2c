#pragma once
// Language models on emulated microcontrollers: caches of int8, compiled ahead of time, token after token.

#include <string>
#include <vector>

#include "tests/devices/board.h"
#include "tests/programs/onnx_file.h"

namespace micrort::test::devices {

class DecoderPrograms {
 public:
  // A small one, and stories260K where the model data are. Before programs->Build().
  explicit DecoderPrograms(DevicePrograms* programs);
  // Each writes the tokens that the interpreter of this machine writes.
  void Check(const Board& board) const;

 private:
  struct Decoder {
    std::string name, source;
    int tokens;           // to write
    uint64_t most_bytes;  // of RAM
    bool shows_letters;   // its words, on the console
  };
  void Add(const Decoder& decoder);
  std::string ByInterpreter(const Decoder& decoder) const;

  DevicePrograms& programs_;
  TemporaryFolder folder_;
  std::vector<Decoder> decoders_;
};

}  // namespace micrort::test::devices
