#pragma once
// The steps of a program as C++ functions.

#include <map>
#include <set>
#include <string>

#include "converter/aot/aot_program.h"

namespace micrort::aot {

// What the source file says beside the class: what it includes, a function a step, and one that calls them.
struct StepsText {
  std::set<std::string> includes;  // "kernels/..."
  std::string functions;           // Step0, Step1 ...
  std::string loops;               // functions of the file of loops,
  std::string loop_declarations;   // and their declarations
  std::string calls;               // of Run's body
  // Functions of the program's own that steps call, and which operators they are: "Blur of com.acme".
  std::map<std::string, std::string> custom;
};

class StepsPrinter {
 public:
  explicit StepsPrinter(AotProgram* program) : program_(*program) {}

  Status Print(StepsText* text);
  // The functions of a graph that a step runs; `calls` are those calls of them, with `body` as their Memory,
  // which return what is wrong with data where they may fail.
  Status PrintBody(const AotGraph& body, std::string* calls, bool* may_fail);
  // kUnsupported where another operator has the function of that name.
  Status AddCustom(const std::string& symbol, const std::string& op);

 private:
  Status PrintGraph(const AotGraph& graph, const std::string& memory, const std::string& result,
                    std::string* calls, bool* may_fail);

  AotProgram& program_;
  std::set<std::string> includes_;
  std::map<std::string, std::string> custom_;
  std::string functions_, loops_, loop_declarations_;
  int count_ = 0, loop_count_ = 0;
};

// Adds the constants that steps read to the program's. kUnsupported, naming the node, for a step that cannot
// be printed.
Status PrintSteps(AotProgram* program, StepsText* text);

// Text as a comment or a string may hold it: one line of printable ASCII, without quotes and backslashes.
std::string PlainText(const std::string& text);

}  // namespace micrort::aot
