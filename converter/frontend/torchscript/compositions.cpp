#include "converter/frontend/torchscript/compositions.h"

#include <map>
#include <utility>

#include "converter/compose/compositions.h"
#include "converter/frontend/torchscript/parser.h"

namespace micrort::frontend::torchscript {

namespace {

class Compositions {
 public:
  explicit Compositions(Numbering numbering) {
    for (const compose::CompositionFile& file : compose::CompositionFiles()) {
      if ((std::string(file.name) == "complex.py") != (numbering == Numbering::kComplex)) continue;
      SourceFile parsed;
      const Status status = ParseSource(file.name, file.text, &parsed);
      if (status_.ok()) status_ = status;
      for (Function& function : parsed.functions)
        functions_.emplace(std::string(function.name), std::move(function));
    }
  }

  const Status& status() const { return status_; }
  const std::map<std::string, Function>& functions() const { return functions_; }

 private:
  std::map<std::string, Function> functions_;
  Status status_;
};

const Compositions& CompositionsOf(Numbering numbering) {
  static const Compositions real(Numbering::kReal), complex(Numbering::kComplex);
  return numbering == Numbering::kReal ? real : complex;
}

}  // namespace

const Function* FindComposition(const std::string& op, Numbering numbering) {
  const auto& functions = CompositionsOf(numbering).functions();
  const auto found = functions.find(op);
  return found == functions.end() ? nullptr : &found->second;
}

std::vector<std::string> AllCompositions(Numbering numbering) {
  std::vector<std::string> names;
  for (const auto& entry : CompositionsOf(numbering).functions()) {
    if (entry.first.compare(0, 2, "__") != 0) names.push_back(entry.first);
  }
  return names;
}

const Status& CompositionsStatus() {
  const Status& real = CompositionsOf(Numbering::kReal).status();
  return real.ok() ? CompositionsOf(Numbering::kComplex).status() : real;
}

}  // namespace micrort::frontend::torchscript
