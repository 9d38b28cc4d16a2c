// States and caches through the C interface: a script of runs, truncations, saved states that are changed,
// and writes into states. What must hold afterwards is checked as well.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>

#include "micrort/micrort_c.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/seeds.h"
#include "tests/runtime/ring_models.h"

namespace micrort::fuzz {
namespace {

using testing::ModelFile;

enum Step : uint8_t {
  kRunOne,
  kTruncate,    // to a length of 8 bytes
  kTruncateTo,  // a length of one byte
  kSave,
  kRestore,
  kChangeSaved,  // a byte at a place
  kCutSaved,     // the last bytes, or as many zeros more
  kRestoreBytes,
  kWriteState,  // 8 bytes into one
  kReset,
  kMoveOver,  // to the other interpreter, which goes on alike
  kSteps
};

constexpr uint8_t kModels = 9, kWithCaches = 6;
constexpr size_t kMostSteps = 200, kMostSaved = 4096;

ModelFile Built(uint8_t kind) {
  testing::CacheIds cache;
  testing::RingIds ring;
  switch (kind) {
    case 0:
      return testing::SumOfRows(&cache).Finish();
    case 1:
      return testing::SumOfRows(&cache, 1, DType::kFloat16).Finish();
    case 2:
      return testing::SumOfRows(&cache, 1, DType::kInt8).Finish();
    case 3:
      return testing::AttentionOverRings(&ring).Finish();
    case 4:
      return testing::AttentionOverRings(&ring, 4, DType::kFloat16).Finish();
    case 5:
      return testing::AttentionOverRings(&ring, 3, DType::kInt8).Finish();
    case 6:
      return testing::SumOfRows(&cache, 2).Finish();  // counts more than it appends
    case 7:
      return testing::SumOfRows(&cache, -1).Finish();
    default:
      return testing::Accumulator({2, 3}).Finish();
  }
}

void Expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "state: %s\n", what);
  std::abort();
}

// One interpreter, and what must hold of it.
class Kept {
 public:
  explicit Kept(const micrort_model* model) {
    Expect(micrort_interpreter_create(model, nullptr, &interpreter_, nullptr, 0) == MICRORT_OK,
           "no interpreter");
  }
  ~Kept() { micrort_interpreter_destroy(interpreter_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  size_t length() const { return micrort_interpreter_state_length(interpreter_); }
  // Rings may not have the rows of a length that has been written.
  bool is_written() const { return is_written_; }

  bool Run(uint8_t value, std::string* output) {
    micrort_tensor x, y;
    Expect(micrort_interpreter_input(interpreter_, 0, &x) == MICRORT_OK, "no input");
    for (size_t i = 0; i < x.bytes / sizeof(float); ++i)
      static_cast<float*>(x.data)[i] = static_cast<float>(value) - static_cast<float>(17 * i);
    const size_t before = length();
    if (micrort_interpreter_run(interpreter_, nullptr, 0) != MICRORT_OK)
      return Unchanged(before, "a failing run");
    Expect(micrort_interpreter_output(interpreter_, 0, &y) == MICRORT_OK, "no output");
    output->assign(static_cast<const char*>(y.data), y.bytes);
    return true;
  }

  bool Truncate(size_t to) {
    const size_t before = length();
    if (micrort_interpreter_truncate_state(interpreter_, to, nullptr, 0) != MICRORT_OK)
      return Unchanged(before, "a refused truncation");
    Expect(to <= before && length() == to, "another length than that of the truncation");
    return true;
  }

  std::string Saved() const {
    std::string saved(micrort_interpreter_state_bytes(interpreter_), '\0');
    Expect(micrort_interpreter_save_state(interpreter_, saved.data(), saved.size() + 1, nullptr, 0) ==
               MICRORT_INVALID_ARGUMENT,
           "saved into another size");
    Expect(micrort_interpreter_save_state(interpreter_, saved.data(), saved.size(), nullptr, 0) == MICRORT_OK,
           "not saved");
    return saved;
  }

  // From memory of exactly its size.
  bool Restore(const std::string& saved) {
    const size_t before = length();
    const std::string kept = Saved();
    std::unique_ptr<char[]> exact(new char[saved.size()]);
    std::memcpy(exact.get(), saved.data(), saved.size());
    if (micrort_interpreter_restore_state(interpreter_, exact.get(), saved.size(), nullptr, 0) !=
        MICRORT_OK) {
      Expect(Saved() == kept, "a refused state has changed something");
      return Unchanged(before, "a refused state");
    }
    Expect(Saved() == saved, "a restored state is saved as another one");
    is_written_ = false;
    return true;
  }

  void Write(uint8_t state, uint8_t at, int64_t value) {
    micrort_tensor tensor;
    if (micrort_interpreter_state(interpreter_, state, &tensor) != MICRORT_OK || tensor.bytes < sizeof value)
      return;
    const size_t place = at % (tensor.bytes - sizeof value + 1);
    std::memcpy(static_cast<char*>(tensor.data) + place, &value, sizeof value);
    is_written_ = true;
  }

  void Reset() {
    micrort_interpreter_reset_state(interpreter_);
    is_written_ = false;
    Expect(length() == 0, "rows after a reset");
  }

 private:
  bool Unchanged(size_t before, const char* what) const {
    Expect(length() == before, what);
    return false;
  }

  micrort_interpreter* interpreter_ = nullptr;
  bool is_written_ = false;
};

// The bytes of a script, one after the other; zeros behind them.
class Script {
 public:
  explicit Script(const std::string& bytes) : bytes_(bytes) {}

  bool is_done() const { return at_ >= bytes_.size(); }
  uint8_t Byte() { return is_done() ? uint8_t{0} : static_cast<uint8_t>(bytes_[at_++]); }
  int64_t Number() {
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof number; ++i) number |= uint64_t{Byte()} << (8 * i);
    return static_cast<int64_t>(number);
  }
  std::string Bytes() {
    const std::string bytes = bytes_.substr(std::min(at_ + 1, bytes_.size()), Byte());
    at_ += bytes.size();
    return bytes;
  }

 private:
  const std::string& bytes_;
  size_t at_ = 0;
};

// Both compute the same from the same state.
bool MoveOver(Kept& from, Kept& to, uint8_t value) {
  const std::string saved = from.Saved();
  Expect(to.Restore(saved), "a saved state is refused");
  Expect(from.length() == to.length(), "a restored state has another length");
  std::string here, there;
  const bool is_as_saved = !from.is_written(), has_run = from.Run(value, &here);
  if (to.Run(value, &there) != has_run) {
    Expect(!is_as_saved, "a restored state runs otherwise");
    return false;
  }
  Expect(here == there, "another result from a restored state");
  return has_run;
}

bool CutSaved(uint8_t bytes, std::string* saved) {
  if (bytes % 2 == 0 || bytes > saved->size()) {
    saved->resize(std::min(saved->size() + bytes, kMostSaved));
  } else {
    saved->resize(saved->size() - bytes);
  }
  return true;
}

bool TakeStep(Script& script, Kept& one, Kept& other, std::string* saved) {
  std::string output;
  switch (script.Byte() % kSteps) {
    case kRunOne:
      return one.Run(script.Byte(), &output);
    case kTruncate:
      return one.Truncate(static_cast<size_t>(script.Number()));
    case kTruncateTo:
      return one.Truncate(script.Byte());
    case kSave:
      *saved = one.Saved();
      return true;
    case kRestore:
      return one.Restore(*saved);
    case kChangeSaved: {
      const size_t at = script.Byte();
      const uint8_t value = script.Byte();
      if (at < saved->size()) (*saved)[at] = static_cast<char>(value);
      return true;
    }
    case kCutSaved:
      return CutSaved(script.Byte(), saved);
    case kRestoreBytes:
      return one.Restore(script.Bytes());
    case kWriteState: {
      const uint8_t state = script.Byte(), at = script.Byte();
      one.Write(state, at, script.Number());
      return true;
    }
    case kReset:
      one.Reset();
      return true;
    default:
      return MoveOver(one, other, script.Byte());
  }
}

// A model and two interpreters of it, made once: loading takes most of the time otherwise.
struct Pair {
  explicit Pair(uint8_t kind) : file(Built(kind)), model(Load(file)), one(model.get()), other(model.get()) {}

  using Owned = std::unique_ptr<micrort_model, void (*)(micrort_model*)>;
  static Owned Load(const ModelFile& file) {
    micrort_model* model = nullptr;
    Expect(micrort_model_from_buffer(file.data(), file.size(), &model, nullptr, 0) == MICRORT_OK, "no model");
    return {model, micrort_model_destroy};
  }

  const ModelFile file;
  const Owned model;
  Kept one, other;
};

Pair& PairOf(uint8_t kind) {
  static std::map<uint8_t, Pair> pairs;
  Pair& pair = pairs.try_emplace(kind, kind).first->second;
  pair.one.Reset();
  pair.other.Reset();
  return pair;
}

Status Run(const std::string& bytes) {
  Script script(bytes);
  Pair& pair = PairOf(script.Byte() % kModels);
  std::string saved;
  size_t refused = 0;
  for (size_t step = 0; step < kMostSteps && !script.is_done(); ++step)
    refused += TakeStep(script, pair.one, pair.other, &saved) ? 0 : 1;
  return refused == 0 ? Status() : Refused(std::to_string(refused) + " steps");
}

std::string Mutate(const std::string& bytes, Random& random) {
  std::string changed = bytes;
  if (Below(3, random) != 0) return MutateBytes(bytes, random);
  // A step with a number at which code goes wrong.
  const int64_t number = BoundaryInteger(random);
  changed.push_back(static_cast<char>(Below(2, random) == 0 ? kTruncate : kWriteState));
  if (changed.back() == kWriteState) changed += {static_cast<char>(Below(4, random)), '\0'};
  changed.append(reinterpret_cast<const char*>(&number), sizeof number);
  changed += {kRunOne, '\7'};
  return changed;
}

}  // namespace

// Of each model: rows, a state that is put aside and comes back, and one that the other interpreter
// continues.
std::vector<std::string> StateSeeds() {
  std::vector<std::string> seeds;
  for (char kind = 0; kind < kModels; ++kind) {
    const bool has_caches = kind < kWithCaches;
    std::string seed = {kind, kRunOne, 1, kSave, kRestore, kMoveOver, 3};
    if (!has_caches) seed = {kind, kSave, kRestore, kReset};
    if (has_caches) seed += {kRestore, kTruncateTo, 0, kRunOne, 5, kReset, kRunOne, 6};
    seeds.push_back(seed);
  }
  return seeds;
}

const Harness kState = {"state", Run, Mutate};

}  // namespace micrort::fuzz
