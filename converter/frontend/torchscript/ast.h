#pragma once
// The part of Python that TorchScript's code is written in.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace micrort::frontend::torchscript {

enum class ExprKind {
  kNone,
  kBool,       // integer
  kInt,        // integer
  kFloat,      // number
  kImaginary,  // number
  kString,     // text
  kName,       // text
  kAttribute,  // parts[0].text
  kSubscript,  // parts[0][parts[1]]; a type with several arguments has a tuple there
  kCall,       // parts[0](parts[1...], keywords)
  kList,
  kTuple,
  kDict,     // key, value, key, value
  kUnary,    // text: "-", "not", "~"
  kBinary,   // text: "+", "is not" ...
  kTernary,  // parts: value, condition, otherwise
};

struct Expr {
  ExprKind kind = ExprKind::kNone;
  std::string text;
  int64_t integer = 0;
  double number = 0;
  std::vector<Expr> parts;
  std::vector<std::pair<std::string, Expr>> keywords;
  int line = 0;
};

enum class StmtKind {
  kExpr,    // value
  kAssign,  // targets (of a tuple, several) = value
  kIf,      // value; body, otherwise
  kFor,     // targets in value; body
  kWhile,   // value; body
  kReturn,  // value
  kWith,    // value, as the target if there is one; body
  kDef,     // the target is the name of a function without parameters, the body its own
  kPass,
};

struct Stmt {
  StmtKind kind = StmtKind::kPass;
  std::vector<Expr> targets;
  bool is_unpacking = false;  // `a, = b`, which one target does not tell from `a = b`
  Expr value;
  std::vector<Stmt> body, otherwise;
  int line = 0;
};

struct Parameter {
  std::string name;
  Expr type;
  bool has_default = false;
  Expr otherwise;
};

struct Function {
  std::string name;  // "forward"
  std::string file;  // the archive's entry, for messages
  std::vector<Parameter> parameters;
  Expr result_type;
  std::vector<Stmt> body;
  int line = 0;
};

struct ClassAttribute {
  std::string name;
  Expr type;
  bool has_value = false;
  Expr value;
};

struct Class {
  std::string name, base;
  std::vector<ClassAttribute> attributes;
  std::vector<Function> methods;

  const Function* Find(const std::string& method) const {
    for (const Function& f : methods) {
      if (f.name == method) return &f;
    }
    return nullptr;
  }
};

struct SourceFile {
  std::vector<Class> classes;
  std::vector<Function> functions;
};

}  // namespace micrort::frontend::torchscript
