// The source of the emitted class, and its constants.

#include <set>

#include "converter/aot/assignments.h"
#include "converter/aot/class_text.h"
#include "converter/aot/loop_text.h"

namespace micrort::aot {
namespace {

constexpr char kSource[] = R"(// @CLASS@: see @STEM@.h. Written by mnnconvert; not to be edited.
#include "@STEM@.h"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "-ffast-math, -Ofast and their parts make this code wrong: compile it with -fno-fast-math"
#endif

#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/base/calling_thread.h"
#include "kernels/base/cpu_features.h"
@INCLUDES@
extern "C" const unsigned char @SYMBOL@[];

@OPEN@@DECLARE_LOOPS@namespace @NAME@Code {
namespace {

// What a step works with.
struct Memory {
  uint8_t* arena;
  const uint8_t* constants;
  void* const* args;
  const micrort::Parallel& parallel;
  int64_t* sizes;  // that data decide
};

// Where arguments, results and states lie.
struct Ports {
  void** args;
  void** results;
  void* const* vars;
};

@RUN_PARTS@@PROGRAMS@int IndexOf(const char* const* names, int count, const char* name) {
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(names[i], name) == 0) return i;
  }
  return -1;
}

}  // namespace
}  // namespace @NAME@Code

@NAME@Base::@NAME@Base(void* memory, AllocMode mode) : memory_(memory)@KEEP_MODE@ {
  @NAME@Code::@PROGRAM@Bind(static_cast<uint8_t*>(memory), mode == AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS, @PORTS@);
@SET_VARS@}
@RESET@@SET_BATCH@

bool @NAME@Base::Run() {
  error_ = "";
  if (memory_ == nullptr || reinterpret_cast<uintptr_t>(memory_) % kAlignment != 0)
    return Fail("the memory is null or not aligned to 64 bytes");
  constexpr micrort::CpuFeatures kFeatures = @FEATURES@;
  if ((kFeatures & ~micrort::DetectCpuFeatures()) != 0)
    return Fail("this CPU is not of the class that the code was made for: @TARGET@");
@CHECK_ARGS@@PARALLEL@  const @NAME@Code::Memory m = {static_cast<uint8_t*>(memory_), @SYMBOL@, args_, parallel, @SIZES@};
  if (const char* const error = @NAME@Code::@PROGRAM@Run(m, @PORTS@)) return Fail(error);
  return true;
}

int @NAME@Base::LookupArgIndex(const char* name) { return @NAME@Code::@LOOKUP_ARG@; }
int @NAME@Base::LookupResultIndex(const char* name) { return @NAME@Code::@LOOKUP_RESULT@; }

@CLOSE@@LOOPS@)";

// The program of one batch.
constexpr char kProgram[] = R"(namespace @SPACE@ {

@STEPS@void Bind(uint8_t* arena, bool with_args, const Ports& ports) {
  (void)arena;
  (void)ports;
  if (with_args) {
@SET_ARGS@  }
@SET_RESULTS@}

// What went wrong, or null.
const char* Run(const Memory& m, const Ports& ports) {
  (void)m;
  (void)ports;
@CALLS@@KEEP@@COPIES@@LATE_RESULTS@  return nullptr;
}

}  // namespace @SPACE@

)";

// parallel_for of custom operators.
constexpr char kRunParts[] = R"(void RunParts(const micrort_custom_call* call, size_t count,
              void (*body)(void* argument, size_t i, int32_t worker), void* argument) {
  if (count > INT32_MAX) {
    for (size_t i = 0; i < count; ++i) body(argument, i, 0);
    return;
  }
  micrort::ParallelFor(*static_cast<const micrort::Parallel*>(call->threads), count,
                       [&](size_t i, int worker) { body(argument, i, worker); });
}

)";

// Chooses among several.
constexpr char kProgramTable[] = R"(struct Program {
  void (*Bind)(uint8_t* arena, bool with_args, const Ports& ports);
  const char* (*Run)(const Memory& m, const Ports& ports);
};
constexpr Program kPrograms[] = {@LIST@};

)";

constexpr char kSetBatch[] = R"(
bool @NAME@Base::set_batch(int batch) {
  for (int i = 0; i < @COUNT@; ++i) {
    if (kBatches[i] != batch) continue;
    batch_ = i;
    @NAME@Code::kPrograms[i].Bind(static_cast<uint8_t*>(memory_),
                      mode_ == AllocMode::ARGS_VARIABLES_RESULTS_PROFILES_AND_TEMPS, @PORTS@);
    return true;
  }
  return Fail("the batch is none of kBatches");
}
)";

constexpr char kSequential[] = R"(  const micrort::Parallel& parallel = micrort::CallingThread();
)";
constexpr char kPool[] = R"(  if (pool_ != nullptr && pool_->workers() > kThreads)
    return Fail("the thread pool has more workers than the code was made for: see kThreads");
  const micrort::Parallel& parallel = pool_ == nullptr ? micrort::CallingThread() : *pool_;
)";

std::string At(size_t offset) { return "arena + " + std::to_string(offset); }

std::string SetArgs(const AotProgram& program) {
  std::string text;
  for (size_t i = 0; i < program.inputs().size(); ++i) {
    text +=
        "    ports.args[" + std::to_string(i) + "] = " + At(program.OffsetOf(program.inputs()[i])) + ";\n";
  }
  return text;
}

// Results that are arguments as they came are known with each run.
std::string SetResults(AotProgram* program, bool late) {
  std::string text;
  for (size_t i = 0; i < program->outputs().size(); ++i) {
    const int32_t view = program->outputs()[i];
    const int input = InputIndex(*program, view);
    if ((input >= 0) != late) continue;
    text += "  ports.results[" + std::to_string(i) + "] = ";
    if (input >= 0) {
      text += "ports.args[" + std::to_string(input) + "];\n";
    } else if (program->IsInArena(view)) {
      text += At(program->OffsetOf(view)) + ";\n";
    } else if (program->FindState(view) != nullptr) {
      text += At(program->FindState(view)->offset) + ";\n";
    } else {
      text += At(program->CopyOf(view)) + ";\n";
    }
  }
  return text;
}

// Results that are constants: the caller may write to results.
std::string CopyResults(AotProgram* program) {
  std::string text;
  for (size_t i = 0; i < program->outputs().size(); ++i) {
    const int32_t view = program->outputs()[i];
    if (!IsConstantResult(*program, view)) continue;
    const Tensor& tensor = program->tensor(view);
    const size_t offset = program->constants().Add(tensor.data, tensor.bytes());
    text += "  std::memcpy(ports.results[" + std::to_string(i) + "], m.constants + " +
            std::to_string(offset) + ", " + std::to_string(tensor.bytes()) + ");\n";
  }
  return text;
}

std::string SetVars(const AotProgram& program) {
  std::string text;
  for (size_t k = 0; k < program.states().size(); ++k) {
    text += "  vars_[" + std::to_string(k) + "] = " + At(program.states()[k].offset) + ";\n";
  }
  if (text.empty()) return "";
  return "  auto* const arena = static_cast<uint8_t*>(memory);\n" + text +
         "  if (memory != nullptr) ResetState();\n";
}

std::string ResetState(AotProgram* program, const ClassText& text) {
  if (program->states().empty()) return "";
  std::string body = "\nvoid " + text.name + "Base::ResetState() {\n";
  for (size_t k = 0; k < program->states().size(); ++k) {
    const StateValue& state = program->states()[k];
    if (state.is_cache) continue;  // no row of it counts
    const size_t bytes = program->tensor(state.value).bytes();
    const std::string var = "vars_[" + std::to_string(k) + "], ",
                      size = ", " + std::to_string(bytes) + ");\n";
    body += state.initial == nullptr
                ? "  std::memset(" + var + "0" + size
                : "  std::memcpy(" + var + text.symbol + " + " +
                      std::to_string(program->constants().Add(state.initial, bytes)) + size;
  }
  return body + "}\n";
}

// The text that keeps what was computed for the next run.
std::string KeepStates(AotProgram* program, const std::string& symbol) {
  std::string text;
  for (size_t k = 0; k < program->states().size(); ++k) {
    if (program->states()[k].is_cache) continue;
    const int32_t view = program->states()[k].computed;
    const Tensor& tensor = program->tensor(view);
    const int input = InputIndex(*program, view);
    const StateValue* other = program->FindState(view);
    std::string from = "m.arena + ";
    if (input >= 0) {
      from = "ports.args[" + std::to_string(input) + "]";
    } else if (other != nullptr) {
      from += std::to_string(other->offset);
    } else if (program->IsInArena(view)) {
      from += std::to_string(program->OffsetOf(view));
    } else {
      from = symbol + " + " + std::to_string(program->constants().Add(tensor.data, tensor.bytes()));
    }
    text += "  std::memmove(ports.vars[" + std::to_string(k) + "], " + from + ", " +
            std::to_string(tensor.bytes()) + ");\n";
  }
  return text;
}

std::string CheckArgs(const ClassText& text) {
  std::string lines;
  for (size_t i = 0; i < text.args.size(); ++i) {
    const std::string n = std::to_string(i);
    lines += "  if (args_[" + n + "] == nullptr)\n    return Fail(\"argument " + n + " (" +
             PlainText(text.args[i].name) + ") has no memory: set_arg" + n + "_data() gives it some\");\n";
  }
  return lines;
}

std::string Lookup(const std::vector<Port>& ports, const char* names, const char* count) {
  if (ports.empty()) return "IndexOf(nullptr, 0, name)";
  return std::string("IndexOf(") + names + ", " + count + ", name)";
}

std::string LoopsSpace(const ClassText& text, const AotProgram& program) {
  return text.name + "Loops::" + SpaceOf(program);
}

std::string LoopDeclarations(const ClassText& text) {
  std::string declarations;
  for (size_t i = 0; i < text.steps.size(); ++i) {
    if (text.steps[i].loops.empty()) continue;
    declarations += "namespace " + LoopsSpace(text, text.model->programs()[i]) + " {\n" +
                    text.steps[i].loop_declarations + "}\n";
  }
  return declarations;
}

std::string Loops(const ClassText& text) {
  std::string loops;
  for (size_t i = 0; i < text.steps.size(); ++i) {
    if (text.steps[i].loops.empty()) continue;
    const std::string space = SpaceOf(text.model->programs()[i]);
    loops += "namespace " + space + " {\n" + text.steps[i].loops + "}  // namespace " + space + "\n";
  }
  if (loops.empty()) return "";
  return LoopsBlock(text.target().features, Joined(text.namespaces, text.name + "Loops"), loops);
}

std::string ProgramText(AotProgram* program, const StepsText& steps, const ClassText& text) {
  const std::string& symbol = text.symbol;
  const std::string alias =
      steps.loops.empty() ? "" : "namespace loops = " + LoopsSpace(text, *program) + ";\n\n";
  return Fill(kProgram, {{"STEPS", alias + steps.functions},
                         {"CALLS", steps.calls},
                         {"SET_ARGS", SetArgs(*program)},
                         {"SET_RESULTS", SetResults(program, false)},
                         {"KEEP", KeepStates(program, symbol)},
                         {"COPIES", CopyResults(program)},
                         {"LATE_RESULTS", SetResults(program, true)},
                         {"SPACE", SpaceOf(*program)}});
}

std::string ProgramsText(AotModel* model, const ClassText& text) {
  std::string programs, list;
  for (size_t i = 0; i < model->programs().size(); ++i) {
    AotProgram& program = model->programs()[i];
    programs += ProgramText(&program, text.steps[i], text);
    list += (i == 0 ? "{" : ", {") + SpaceOf(program) + "::Bind, " + SpaceOf(program) + "::Run}";
  }
  return model->has_batches() ? programs + Fill(kProgramTable, {{"LIST", list}}) : programs;
}

std::string Includes(const ClassText& text) {
  std::set<std::string> all;
  for (const StepsText& steps : text.steps) all.insert(steps.includes.begin(), steps.includes.end());
  std::string lines;
  for (const std::string& include : all) lines += "#include \"" + include + "\"\n";
  return lines;
}

}  // namespace

std::string SourceText(AotModel* model, const ClassText& text) {
  const bool multi = text.options().thread_pool == ThreadPool::kMulti;
  const bool has_batches = model->has_batches();
  AotProgram* const largest = &model->programs().back();
  const std::string space = Joined(text.namespaces);
  return Fill(kSource,
              {{"RUN_PARTS", text.custom().empty() ? "" : kRunParts},
               {"PROGRAMS", ProgramsText(model, text)},
               {"INCLUDES", Includes(text)},
               {"DECLARE_LOOPS", LoopDeclarations(text)},
               {"LOOPS", Loops(text)},
               {"SET_BATCH", has_batches ? kSetBatch : ""},
               {"COUNT", std::to_string(model->programs().size())},
               {"KEEP_MODE", has_batches ? ", mode_(mode)" : ""},
               {"PROGRAM", has_batches ? "kPrograms[batch_]." : SpaceOf(*largest) + "::"},
               {"PORTS", text.vars.empty() ? "{args_, results_, nullptr}" : "{args_, results_, vars_}"},
               {"SET_VARS", SetVars(*largest)},
               {"RESET", ResetState(largest, text)},
               {"CHECK_ARGS", CheckArgs(text)},
               {"PARALLEL", multi ? kPool : kSequential},
               {"SIZES", largest->open_shapes().bounds().empty() ? "nullptr" : "sizes_"},
               {"LOOKUP_ARG", Lookup(text.args, "kArgNames", "kNumArgs")},
               {"LOOKUP_RESULT", Lookup(text.results, "kResultNames", "kNumResults")},
               {"FEATURES", Literal(text.target().features)},
               {"TARGET", text.target().name},
               {"OPEN", space.empty() ? "" : "namespace " + space + " {\n"},
               {"CLOSE", space.empty() ? "" : "}  // namespace " + space + "\n"},
               {"CLASS", text.qualified_name()},
               {"NAME", text.name},
               {"STEM", text.file_stem},
               {"SYMBOL", text.symbol}});
}

std::string ConstantsAssembly(const ClassText& text) {
  constexpr char kAssembly[] = R"(// The constants of @CLASS@. Written by mnnconvert; not to be edited.
#if defined(__APPLE__)
#define SYMBOL _@SYMBOL@
  .const_data
#else
#define SYMBOL @SYMBOL@
  .section .rodata.@SYMBOL@, "a", %progbits
  .type SYMBOL, %object
  .hidden SYMBOL
#endif
  .globl SYMBOL
  .balign 64
SYMBOL:
  .incbin "@STEM@_weights.bin"
  .byte 0
#if defined(__ELF__)
  .size SYMBOL, . - SYMBOL
#endif
#if defined(__ELF__) && defined(__unix__)  // microcontrollers have no notes, and linkers want all or none
  .section .note.GNU-stack, "", %progbits
#endif
)";
  return Fill(kAssembly,
              {{"CLASS", text.qualified_name()}, {"SYMBOL", text.symbol}, {"STEM", text.file_stem}});
}

std::string ConstantsArray(const ClassText& text) {
  std::string out = "// The constants of " + text.qualified_name() +
                    ". Written by mnnconvert; not to be edited.\nextern \"C\" {\n"
                    "extern const unsigned char " +
                    text.symbol +
                    "[];\n"
                    "alignas(64) const unsigned char " +
                    text.symbol + "[] = {";
  const std::vector<uint8_t>& bytes = text.model->constants().bytes();
  for (size_t i = 0; i < bytes.size(); ++i) {
    out += (i % 24 == 0 ? "\n" : "") + std::to_string(bytes[i]) + ",";
  }
  return out + "\n0};\n}\n";
}

}  // namespace micrort::aot
