#pragma once
// The graph as text after every pass that changed it: what `mnnconvert --dump-passes DIR` writes.

#include <string>

#include "converter/ir/graph.h"
#include "kernels/base/status.h"

namespace micrort::passes {

// Files are DIR/000-import.txt, DIR/001-constant_folding.txt and so on, in the form of ir::Print, graphs
// inside nodes behind the entry.
class PassDump {
 public:
  // Makes the folder. kIo if it cannot, or if anything is in it: files of another conversion would mix with
  // these.
  Status Open(const std::string& folder);
  // Does nothing before Open(). After an error, no more files are written, and status() says why.
  void Write(const char* stage, const ir::Graph& graph);
  const Status& status() const { return status_; }

 private:
  std::string folder_;  // empty: nothing is dumped
  int count_ = 0;
  Status status_;
};

}  // namespace micrort::passes
