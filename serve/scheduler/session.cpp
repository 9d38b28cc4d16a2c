#include "serve/scheduler/session.h"

#include <algorithm>
#include <cstring>

namespace micrort::serve {
namespace {

Shape ToShape(const std::vector<int64_t>& dims) {
  Shape shape;
  for (int64_t dim : dims) shape.dims[shape.rank++] = dim;
  return shape;
}

std::string KeyOf(const Model& model, const std::vector<Shape>& shapes,
                  const std::vector<const void*>& values) {
  std::string key;
  for (size_t i = 0; i < shapes.size(); ++i) {
    key.append(reinterpret_cast<const char*>(shapes[i].dims),
               sizeof(int64_t) * static_cast<size_t>(shapes[i].rank));
    if (values[i] == nullptr) continue;
    const size_t bytes = static_cast<size_t>(shapes[i].elements()) * SizeOf(model.input(i).dtype);
    key.append(static_cast<const char*>(values[i]), bytes);
  }
  return key;
}

bool IsWanted(const InferRequest& request, const std::string& output) {
  return request.outputs.empty() ||
         std::any_of(request.outputs.begin(), request.outputs.end(),
                     [&](const RequestedOutput& requested) { return requested.name == output; });
}

}  // namespace

Status Session::Create(const std::vector<Shape>& shapes, const std::vector<const void*>& values,
                       Interpreter** out) {
  const std::string key = KeyOf(model_, shapes, values);
  for (auto entry = interpreters_.begin(); entry != interpreters_.end(); ++entry) {
    if (entry->key != key) continue;
    interpreters_.splice(interpreters_.begin(), interpreters_, entry);
    *out = &interpreters_.front().interpreter;
    return Status();
  }
  InterpreterOptions options = options_.interpreter;
  options.input_shapes = {shapes.data(), shapes.size()};
  const bool has_values =
      std::any_of(values.begin(), values.end(), [](const void* v) { return v != nullptr; });
  if (has_values) options.input_values = {values.data(), values.size()};
  // The least recently used one makes room before memory is taken for the next.
  if (interpreters_.size() >= options_.max_interpreters) {
    arena_bytes_ -= interpreters_.back().interpreter.arena_bytes();
    interpreters_.pop_back();
  }
  MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(model_, options));
  arena_bytes_ += interpreter.arena_bytes();
  interpreters_.push_front({key, has_values, std::move(interpreter)});
  while (interpreters_.size() > 1 &&
         arena_bytes_ - interpreters_.front().interpreter.arena_bytes() > options_.max_kept_arena_bytes) {
    arena_bytes_ -= interpreters_.back().interpreter.arena_bytes();
    interpreters_.pop_back();
  }
  *out = &interpreters_.front().interpreter;
  return Status();
}

Status Session::Prepare() {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < model_.input_count(); ++i) {
    shapes.push_back(model_.input(i).shape);
    for (int d = 0; d < shapes[i].rank; ++d) shapes[i][d] = std::max<int64_t>(shapes[i][d], 1);
  }
  Interpreter* interpreter = nullptr;
  return Create(shapes, std::vector<const void*>(shapes.size()), &interpreter);
}

Error Session::InterpreterFor(JobList jobs, int64_t rows, Interpreter** out) {
  std::vector<Shape> shapes;
  std::vector<const void*> values;
  const std::vector<Tensor>& inputs = jobs[0]->request.inputs;
  std::list<std::vector<uint8_t>> joined;
  for (size_t i = 0; i < inputs.size(); ++i) {
    shapes.push_back(ToShape(inputs[i].shape));
    if (options_.has_batches) shapes[i][0] = rows;
    values.push_back(nullptr);
    if (!model_.decides_shapes(i)) continue;
    // The value is that of the whole batch, as its shape is.
    std::vector<uint8_t>& value = joined.emplace_back();
    value.reserve(1);  // an empty one has an address, too: null is none
    for (const JobPtr& job : jobs) {
      const Span<const uint8_t> part = job->request.inputs[i].data;
      value.insert(value.end(), part.data(), part.data() + part.size());
    }
    values[i] = value.data();
  }
  return Error::From(Create(shapes, values, out));
}

void Session::FillInputs(JobList jobs, Interpreter* interpreter) const {
  for (size_t i = 0; i < interpreter->input_count(); ++i) {
    auto* to = static_cast<uint8_t*>(interpreter->input(i).data);
    for (const JobPtr& job : jobs) {
      const Span<const uint8_t> data = job->request.inputs[i].data;
      if (!data.empty()) std::memcpy(to, data.data(), data.size());
      to += data.size();
    }
  }
}

Error Session::RestoreSequence(const Job& job, Interpreter* interpreter) {
  if (interpreter->state_count() == 0) return {};
  const uint64_t sequence = job.request.sequence;
  if (sequence == 0 || job.request.sequence_start) {
    interpreter->ResetState();
    return {};
  }
  const std::vector<uint8_t>* kept = sequences_.Find(sequence, Clock::now());
  if (kept == nullptr) {
    return Invalid("sequence " + std::to_string(sequence) +
                   " has not begun, or was idle for too long: expected sequence_start");
  }
  return Error::From(interpreter->RestoreState(kept->data(), kept->size()));
}

Error Session::SaveSequence(const Job& job, const Interpreter& interpreter) {
  const uint64_t sequence = job.request.sequence;
  if (interpreter.state_count() == 0 || sequence == 0) return {};
  if (job.request.sequence_end) {
    sequences_.End(sequence);
    return {};
  }
  std::vector<uint8_t>* kept = sequences_.Keep(sequence, interpreter.StateBytes(), Clock::now());
  if (kept == nullptr) {
    return {ErrorKind::kUnavailable,
            "the model keeps the state of " + std::to_string(sequences_.size()) +
                " sequences already, and has no room for more (max_sequences, --max-request-memory)"};
  }
  return Error::From(interpreter.SaveState(kept->data(), kept->size()));
}

Status Session::RunOnce(JobList jobs, Clock::time_point until, Interpreter* interpreter) {
  Clock::time_point deadline = Clock::time_point::min();
  for (const JobPtr& job : jobs) deadline = std::max(deadline, job->deadline);
  deadline = std::min(deadline, until);
  {
    const std::lock_guard lock(running_mutex_);
    if (is_aborted_) return Status::Error(StatusCode::kCancelled);
    running_ = &jobs;
    running_on_ = interpreter;
    was_cancelled_ = false;
  }
  Status status;
  if (deadline == Clock::time_point::max()) {
    status = interpreter->Run();
  } else {
    const uint64_t left = Nanoseconds(Clock::now(), std::max(deadline, Clock::now())) / 1000;
    status = interpreter->RunFor(std::max<uint64_t>(left, 1));
  }
  const std::lock_guard lock(running_mutex_);
  running_ = nullptr;
  running_on_ = nullptr;
  // A run before this one was told to end as it had just ended.
  if (status.code() == StatusCode::kCancelled && !was_cancelled_) return Status::Error(StatusCode::kInternal);
  return status;
}

void Session::CancelAbandoned() {
  const std::lock_guard lock(running_mutex_);
  if (running_ == nullptr || was_cancelled_) return;
  const bool is_abandoned = std::all_of(running_->begin(), running_->end(),
                                        [](const JobPtr& job) { return job->is_cancelled.load(); });
  if (!is_abandoned) return;
  was_cancelled_ = true;
  running_on_->Cancel();
}

void Session::Abort() {
  const std::lock_guard lock(running_mutex_);
  is_aborted_ = true;
  if (running_ == nullptr || was_cancelled_) return;
  was_cancelled_ = true;
  running_on_->Cancel();
}

Error Session::CountOutputs(const Job& job, int64_t rows, const Interpreter& interpreter,
                            InferResponse* response) const {
  if (options_.budget == nullptr) return {};
  size_t bytes = 0;
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    const TensorView view = interpreter.output(i);
    if (IsWanted(job.request, view.name)) bytes += view.bytes();
  }
  if (options_.has_batches) bytes = bytes / static_cast<size_t>(rows) * static_cast<size_t>(job.rows);
  return options_.budget->Take(bytes, &response->share);
}

Error Session::TakeOutputs(JobList jobs, int64_t rows, const Interpreter& interpreter,
                           std::vector<InferResponse>* responses) const {
  responses->clear();
  responses->resize(jobs.size());
  for (size_t j = 0; j < jobs.size(); ++j)
    MICRORT_SERVE_RETURN_IF_ERROR(CountOutputs(*jobs[j], rows, interpreter, &(*responses)[j]));
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    const TensorView view = interpreter.output(i);
    const std::vector<int64_t> shape(view.shape.dims, view.shape.dims + view.shape.rank);
    if (options_.has_batches && (shape.empty() || shape[0] != rows)) {
      return {ErrorKind::kInternal, "output '" + std::string(view.name) + "' of a batch of " +
                                        std::to_string(rows) + " has shape " + ShapeText(shape) +
                                        ": the model has no batches, set max_batch_size to 0"};
    }
    const auto* from = static_cast<const uint8_t*>(view.data);
    for (size_t j = 0; j < jobs.size(); ++j) {
      const int64_t part = options_.has_batches ? jobs[j]->rows : 1;
      const size_t bytes = options_.has_batches
                               ? view.bytes() / static_cast<size_t>(rows) * static_cast<size_t>(part)
                               : view.bytes();
      if (IsWanted(jobs[j]->request, view.name)) {
        Tensor tensor;
        tensor.name = view.name;
        tensor.dtype = view.dtype;
        tensor.shape = shape;
        if (options_.has_batches) tensor.shape[0] = part;
        tensor.owned.assign(from, from + bytes);
        tensor.data = {tensor.owned.data(), bytes};
        (*responses)[j].outputs.push_back(std::move(tensor));
      }
      if (options_.has_batches) from += bytes;
    }
  }
  return {};
}

void Session::DropLarge() {
  if (interpreters_.empty()) return;
  const Entry& last = interpreters_.front();
  const size_t bytes = last.interpreter.arena_bytes();
  if (!last.has_values || bytes <= options_.max_kept_arena_bytes) return;
  arena_bytes_ -= bytes;
  interpreters_.pop_front();
}

Error Session::Run(const std::vector<JobPtr>& jobs, Clock::time_point until,
                   std::vector<InferResponse>* responses, StageTimes* times) {
  const Error error = RunKept(jobs, until, responses, times);
  DropLarge();
  return error;
}

Error Session::RunKept(JobList jobs, Clock::time_point until, std::vector<InferResponse>* responses,
                       StageTimes* times) {
  const Clock::time_point begin = Clock::now();
  int64_t rows = 0;
  for (const JobPtr& job : jobs) rows += job->rows;
  Interpreter* interpreter = nullptr;
  MICRORT_SERVE_RETURN_IF_ERROR(InterpreterFor(jobs, rows, &interpreter));
  Status status;
  Clock::time_point filled;
  // The second time after a call to end a run that came too late for it.
  for (int attempt = 0; attempt < 2; ++attempt) {
    MICRORT_SERVE_RETURN_IF_ERROR(RestoreSequence(*jobs[0], interpreter));
    FillInputs(jobs, interpreter);
    filled = Clock::now();
    status = RunOnce(jobs, until, interpreter);
    if (status.code() != StatusCode::kInternal) break;
  }
  const Clock::time_point ran = Clock::now();
  times->input_ns = Nanoseconds(begin, filled);
  times->infer_ns = Nanoseconds(filled, ran);
  if (!status.ok()) return Error::From(status);
  MICRORT_SERVE_RETURN_IF_ERROR(SaveSequence(*jobs[0], *interpreter));
  MICRORT_SERVE_RETURN_IF_ERROR(TakeOutputs(jobs, rows, *interpreter, responses));
  times->output_ns = Nanoseconds(ran, Clock::now());
  return {};
}

}  // namespace micrort::serve
