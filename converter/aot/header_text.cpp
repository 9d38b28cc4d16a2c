// The header of the emitted class.

#include "converter/aot/assignments.h"
#include "converter/aot/class_text.h"

namespace micrort::aot {
namespace {

constexpr char kHeader[] = R"(// @CLASS@, computed ahead of time from @SOURCE@ for @TARGET@.
// Written by mnnconvert; not to be edited.
#ifndef @GUARD@
#define @GUARD@

#include <cstddef>
#include <cstdint>

namespace micrort {
class Parallel;
}

@OPEN@
// Computes in memory that a caller gives: kBytes, aligned to kAlignment, which outlive the object. Objects
// share nothing but constants, so each may run on a thread of its own. Nothing is allocated.
class @NAME@Base {
 public:
  enum class AllocMode {
    ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS,  // arguments have memory, which argN_data() gives
    RESULTS_PROFILES_AND_TEMPS_ONLY,            // the caller's: set_argN_data() before Run()
  };

  static constexpr size_t kBytes = @BYTES@;     // arguments, results and temporaries
  static constexpr size_t kAlignment = 64;
  static constexpr size_t kConstantBytes = @CONSTANT_BYTES@;  // weights, read-only
  static constexpr int kThreads = @THREADS@;    // the most that it computes with
  static constexpr const char* kTarget = "@TARGET@";
  static constexpr int kNumArgs = @ARGS@;
  static constexpr int kNumResults = @RESULTS@;
@LIMIT@@FACTS@
  explicit @NAME@Base(void* memory,
      AllocMode mode = AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS);
  @NAME@Base(const @NAME@Base&) = delete;
  @NAME@Base& operator=(const @NAME@Base&) = delete;

  // Computes results from arguments. It may overwrite memory that it gave for arguments: they are written
  // again before the next run. False: error_msg() says why.
  bool Run();
  // Of the last run; "" if it succeeded.
  const char* error_msg() const { return error_; }
@POOL@
  void** args() { return args_; }
  const void* const* args() const { return args_; }
  void* arg_data(int i) { return args_[i]; }
  const void* arg_data(int i) const { return args_[i]; }
  // Memory of the caller, which is only read; it outlives the run. `data` is aligned as its elements are.
  void set_arg_data(int i, const void* data) { args_[i] = const_cast<void*>(data); }
  // Valid from one run until arguments are written for the next.
  void** results() { return results_; }
  const void* const* results() const { return results_; }
  void* result_data(int i) { return results_[i]; }
  const void* result_data(int i) const { return results_[i]; }

  // The position of an argument or result by its name in the source model; -1: there is none.
  static int LookupArgIndex(const char* name);
  static int LookupResultIndex(const char* name);
@PORTS@@RESET@
 private:
  bool Fail(const char* message) {
    error_ = message;
    return false;
  }

  void* const memory_;
  void* args_[@ARGS_OR_1@] = {};
  void* results_[@RESULTS_OR_1@] = {};
@VARS@  const char* error_ = "";
@POOL_FIELD@};

// The same with memory of its own.
class @NAME@ final : public @NAME@Base {
 public:
  explicit @NAME@(AllocMode mode = AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS)
      : @NAME@Base(own_memory_, mode) {}

 private:
  alignas(kAlignment) unsigned char own_memory_[kBytes];
};

@CLOSE@
#endif  // @GUARD@
)";

constexpr char kPoolFunctions[] = R"(
  // Threads to compute with, which outlive the object or the next call; at most kThreads workers. null: the
  // calling thread alone.
  void set_thread_pool(const micrort::Parallel* pool) { pool_ = pool; }
)";

constexpr char kReset[] = R"(
  // What a run keeps for the next one, var_NAME, gets its first values again.
  void ResetState();
)";

std::string Dimensions(const Shape& shape) {
  std::string list;
  for (int d = 0; d < shape.rank; ++d) list += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return shape.rank == 0 ? "1" : list;
}

std::string Names(const std::vector<Port>& ports) {
  std::string list;
  for (const Port& port : ports) list += (list.empty() ? "\"" : ", \"") + PlainText(port.name) + "\"";
  return list;
}

// Constants about ports: `kind` is Arg or Result.
std::string Facts(const std::vector<Port>& ports, const std::string& kind) {
  std::string text;
  if (!ports.empty())
    text += "  static constexpr const char* k" + kind + "Names[] = {" + Names(ports) + "};\n";
  for (size_t i = 0; i < ports.size(); ++i) {
    const Tensor& tensor = *ports[i].tensor;
    const std::string k = "  static constexpr ", name = "k" + kind + std::to_string(i);
    text += k + "int " + name + "Rank = " + std::to_string(tensor.shape.rank) + ";\n";
    text += k + "int64_t " + name + "Shape[] = {" + Dimensions(tensor.shape) + "};\n";
    text += k + "const char* " + name + "Type = \"" + Name(tensor.dtype) + "\";\n";
    if (tensor.quantization.count != 1) continue;
    text += k + "float " + name + "Scale = " + Literal(tensor.quantization.scale()) + ";\n";
    text += k + "int32_t " + name + "ZeroPoint = " + Literal(tensor.quantization.zero_point()) + ";\n";
  }
  return text;
}

std::string IndexParameters(int rank) {
  std::string list;
  for (int d = 0; d < rank; ++d) list += (d == 0 ? "size_t i" : ", size_t i") + std::to_string(d);
  return list;
}

// Row-major.
std::string Index(const Shape& shape) {
  std::string at = shape.rank == 0 ? "0" : "i0";
  for (int d = 1; d < shape.rank; ++d)
    at = "(" + at + ") * " + std::to_string(shape[d]) + " + i" + std::to_string(d);
  return at;
}

constexpr char kAccessors[] = R"(
  @TYPE@* @PORT@_data() { return static_cast<@TYPE@*>(@DATA@); }
  const @TYPE@* @PORT@_data() const { return static_cast<const @TYPE@*>(@DATA@); }
  @TYPE@& @PORT@(@INDEXES@) { return @PORT@_data()[@AT@]; }
  const @TYPE@& @PORT@(@INDEXES@) const { return @PORT@_data()[@AT@]; }
  static constexpr int @PORT@_size() { return @SIZE@; }  // bytes
  static constexpr int @PORT@_count() { return @COUNT@; }
)";
constexpr char kSetter[] = R"(  void set_@PORT@_data(const void* data) { set_arg_data(@I@, data); }
)";

std::string Accessors(const Port& port, const std::string& name, const std::string& data, size_t i) {
  const Tensor& tensor = *port.tensor;
  return Fill(data == "args_" ? std::string(kAccessors) + kSetter : kAccessors,
              {{"TYPE", port.type},
               {"PORT", name},
               {"DATA", data + "[" + std::to_string(i) + "]"},
               {"INDEXES", IndexParameters(tensor.shape.rank)},
               {"AT", Index(tensor.shape)},
               {"SIZE", std::to_string(tensor.bytes())},
               {"COUNT", std::to_string(tensor.elements())},
               {"I", std::to_string(i)}});
}

std::string AllAccessors(const std::vector<Port>& ports, const std::string& kind, const std::string& data) {
  std::string text;
  for (size_t i = 0; i < ports.size(); ++i) {
    text += Accessors(ports[i], kind + std::to_string(i), data, i);
    if (!ports[i].identifier.empty()) text += Accessors(ports[i], ports[i].identifier, data, i);
  }
  return text;
}

std::string OrOne(size_t n) { return std::to_string(n == 0 ? 1 : n); }

}  // namespace

std::string HeaderText(const ClassText& text) {
  const AotProgram& program = *text.program;
  std::string open, close;
  for (const std::string& name : text.namespaces) {
    open += "namespace " + name + " {\n";
    close = "}  // namespace " + name + "\n" + close;
  }
  const bool has_pool = text.options().thread_pool != ThreadPool::kNone;
  return Fill(
      kHeader,
      {{"PORTS", AllAccessors(text.args, "arg", "args_") + AllAccessors(text.results, "result", "results_") +
                     AllAccessors(text.vars, "var", "vars_")},
       {"RESET", text.vars.empty() ? "" : kReset},
       {"VARS", text.vars.empty() ? "" : "  void* vars_[" + std::to_string(text.vars.size()) + "] = {};\n"},
       {"LIMIT",
        text.request->max_arena
            ? "  static_assert(kBytes <= " + std::to_string(*text.request->max_arena) + ");  // --max-arena\n"
            : ""},
       {"FACTS", Facts(text.args, "Arg") + Facts(text.results, "Result")},
       {"POOL", has_pool ? kPoolFunctions : ""},
       {"POOL_FIELD", has_pool ? "  const micrort::Parallel* pool_ = nullptr;\n" : ""},
       {"CLASS", text.qualified_name()},
       {"NAME", text.name},
       {"SOURCE", PlainText(text.request->source)},
       {"TARGET", program.target().name},
       {"GUARD", text.guard()},
       {"OPEN", open},
       {"CLOSE", close},
       {"BYTES", std::to_string(program.bytes() == 0 ? 64 : program.bytes())},
       {"CONSTANT_BYTES", std::to_string(program.constants().bytes().size())},
       {"THREADS",
        std::to_string(text.options().thread_pool == ThreadPool::kMulti ? program.target().threads : 1)},
       {"ARGS", std::to_string(text.args.size())},
       {"RESULTS", std::to_string(text.results.size())},
       {"ARGS_OR_1", OrOne(text.args.size())},
       {"RESULTS_OR_1", OrOne(text.results.size())}});
}

}  // namespace micrort::aot
