#include "serve/repository/repository.h"

#include <algorithm>
#include <charconv>
#include <exception>

#include "serve/protocol/names.h"

namespace micrort::serve {
namespace {

// Models that are loaded at once.
constexpr size_t kMaxLoading = 16;
// What ending a run, a conversion or a warm-up takes after it was told to end.
constexpr auto kMoment = std::chrono::milliseconds(700);

Error Ending() { return {ErrorKind::kUnavailable, "the server is ending"}; }

// "1, 2".
std::string NumbersOf(const std::map<int64_t, Repository::VersionPtr>& versions) {
  std::string text;
  for (const auto& [number, version] : versions) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

std::string LabelsOf(const std::map<std::string, int64_t>& labels) {
  NameList names;
  for (const auto& [label, number] : labels) names.Add(label);
  return names.text();
}

}  // namespace

Repository::Repository(RepositoryOptions options) : options_(std::move(options)), tasks_(kMaxLoading) {}

Repository::~Repository() { (void)Stop(Clock::now()); }

void Repository::Log(bool is_error, const std::string& model, const std::string& message,
                     const std::string& versions) const {
  if (options_.log) options_.log(is_error, model, versions, message);
}

void Repository::Start(std::function<void()> done) {
  thread_ = std::thread([this, done = std::move(done)] {
    LoadStartupModels(done);
    Work();
  });
}

bool Repository::Post(const std::string& model, std::function<Error()> change, Done done) {
  return tasks_.Post(model, [change = std::move(change), done](bool runs) {
    Error error = Ending();
    try {
      if (runs) error = change();
    } catch (const std::exception& e) {
      error = {ErrorKind::kUnavailable, e.what()};
    }
    done(error);
  });
}

void Repository::Refresh() {
  {
    const std::lock_guard lock(work_mutex_);
    looks_for_changes_ = true;
  }
  work_changed_.notify_all();
}

void Repository::Work() {
  std::unique_lock lock(work_mutex_);
  while (!stopping_) {
    const auto is_due = [this] { return stopping_ || looks_for_changes_; };
    if (options_.mode == ControlMode::kPoll) {
      work_changed_.wait_for(lock, std::chrono::seconds(options_.poll_seconds), is_due);
    } else {
      work_changed_.wait(lock, is_due);
    }
    if (stopping_) return;
    looks_for_changes_ = false;
    lock.unlock();
    LookForChanges();
    lock.lock();
  }
}

std::vector<std::string> Repository::List() {
  std::vector<std::string> names, passed_over;
  const Error error = ListModels(options_.folder, &names, &passed_over);
  if (!error.ok()) Log(true, "", error.message());
  for (const std::string& name : passed_over) {
    if (passed_over_.insert(name).second)
      Log(true, name, "passed over: the name of a model has letters, digits, '_', '-' and '.' only");
  }
  return names;
}

void Repository::LoadStartupModels(std::function<void()> done) {
  std::vector<std::string> names = options_.startup_models;
  const bool all = options_.mode != ControlMode::kExplicit || names == std::vector<std::string>{"*"};
  if (all) {
    names = List();
    if (names.empty())
      Log(true, "",
          options_.folder + ": no model is found, expected " + options_.folder + "/NAME/1/model.fb");
  } else {
    // Also those that the folder does not have are known from now on.
    const std::unique_lock lock(mutex_);
    for (const std::string& name : names) {
      if (CheckRoom(name).ok()) models_[name].error = {ErrorKind::kUnavailable, "it is being loaded"};
    }
  }
  // Called by whichever model is the last one, or here where there is none.
  const std::shared_ptr<void> last(nullptr, [done = std::move(done)](void*) { done(); });
  for (const std::string& name : names)
    (void)Post(
        name, [this, name] { return LoadNow(name); }, [last](const Error&) {});
}

bool Repository::HasChanged(const std::string& name) const {
  ModelFolder folder;
  const Error error = ReadModelFolder(options_.folder, name, options_.sources, &folder);
  const std::shared_lock lock(mutex_);
  const auto entry = models_.find(name);
  if (entry == models_.end()) return options_.mode != ControlMode::kExplicit;
  // What could not be read is told once.
  return error.ok() ? entry->second.fingerprint != folder.fingerprint
                    : entry->second.error.message() != error.message();
}

void Repository::LookForChanges() {
  const std::vector<std::string> found = List();
  std::vector<std::string> gone;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [name, entry] : models_) {
      if (!std::binary_search(found.begin(), found.end(), name)) gone.push_back(name);
    }
  }
  const auto ignore = [](const Error&) {};
  for (const std::string& name : gone)
    (void)Post(
        name, [this, name] { return UnloadNow(name); }, ignore);
  for (const std::string& name : found) {
    // One that is being loaded is looked at the next time.
    if (tasks_.IsBusy(name) || !HasChanged(name)) continue;
    (void)Post(
        name, [this, name] { return LoadNow(name); }, ignore);
  }
}

Error Repository::LoadVersions(const std::string& name, const ModelFolder& folder, Entry* entry) {
  const LoadLimit limit(options_.load_seconds, &is_loading_stopped_);
  for (const VersionFile& file : folder.versions) {
    ModelBytes bytes;
    const size_t slash = file.path.rfind('/');
    if (options_.convert && file.path.substr(slash + 1) != folder.config.model_file)
      MICRORT_SERVE_RETURN_IF_ERROR(options_.convert(file.path, limit, &bytes));
    VersionPtr version;
    MICRORT_SERVE_RETURN_IF_ERROR(
        ModelVersion::Load(name, file, bytes, folder.config, options_.context, limit, &version));
    if (!version->note().empty()) Log(false, name, version->note(), version->version());
    entry->versions[file.version] = std::move(version);
  }
  return {};
}

Error Repository::CheckRoom(const std::string& name) const {
  if (models_.count(name) != 0 || models_.size() < options_.max_models) return {};
  return {ErrorKind::kUnavailable,
          "this server has " + std::to_string(options_.max_models) + " models already"};
}

Error Repository::LoadNow(const std::string& name) {
  ModelFolder folder;
  Entry loaded;
  Error error;
  try {
    error = ReadModelFolder(options_.folder, name, options_.sources, &folder);
    loaded.fingerprint = folder.fingerprint;
    loaded.labels = folder.config.labels;
    for (const std::string& note : folder.config.notes) Log(false, name, "config.pbtxt: " + note);
    if (error.ok()) {
      const std::shared_lock lock(mutex_);
      error = CheckRoom(name);
    }
    if (error.ok()) error = LoadVersions(name, folder, &loaded);
  } catch (const std::exception& e) {
    error = {ErrorKind::kUnavailable, e.what()};
  }
  return Install(name, error, &loaded);
}

Error Repository::Install(const std::string& name, const Error& error, Entry* loaded) {
  // The versions that were there before, or that cannot be installed.
  std::map<int64_t, VersionPtr> former;
  Error result = error;
  const std::string versions = NumbersOf(loaded->versions);
  {
    const std::unique_lock lock(mutex_);
    if (result.kind() == ErrorKind::kNotFound && models_.count(name) == 0) return result;
    if (result.ok()) result = is_ending_ ? Ending() : CheckRoom(name);
    if (result.ok()) {
      Entry& entry = models_[name];
      former.swap(entry.versions);
      entry = std::move(*loaded);
    } else {
      former.swap(loaded->versions);
      // What was loaded before goes on.
      if (!is_ending_ && CheckRoom(name).ok()) {
        models_[name].error = result;
        models_[name].fingerprint = loaded->fingerprint;
      }
    }
  }
  Retire(former);
  Log(!result.ok(), name, result.ok() ? "loaded" : result.message(), result.ok() ? versions : "");
  return result;
}

void Repository::Retire(const std::map<int64_t, VersionPtr>& versions) {
  const auto deadline = Clock::now() + std::chrono::seconds(options_.drain_seconds);
  for (const auto& [number, version] : versions) retired_.Add(version, deadline);
}

Error Repository::UnloadNow(const std::string& name) {
  std::map<int64_t, VersionPtr> former;
  {
    const std::unique_lock lock(mutex_);
    const auto entry = models_.find(name);
    if (entry == models_.end()) return {ErrorKind::kNotFound, "model '" + name + "' is not loaded"};
    former.swap(entry->second.versions);
    models_.erase(entry);
  }
  Retire(former);
  Log(false, name, "unloaded", NumbersOf(former));
  return {};
}

void Repository::RequireExplicit(const std::string& name, Done done, std::function<Error()> change) {
  if (options_.mode != ControlMode::kExplicit) {
    return done(Invalid("models are loaded and unloaded by request only with --model-control-mode explicit"));
  }
  if (!IsModelName(name)) return done({ErrorKind::kNotFound, "the repository has no model '" + name + "'"});
  if (!Post(name, std::move(change), done)) done(Ending());
}

void Repository::Load(const std::string& name, Done done) {
  RequireExplicit(name, std::move(done), [this, name] { return LoadNow(name); });
}

void Repository::Unload(const std::string& name, Done done) {
  RequireExplicit(name, std::move(done), [this, name] { return UnloadNow(name); });
}

Error Repository::Find(const std::string& name, const std::string& version, bool is_label,
                       VersionPtr* out) const {
  const std::shared_lock lock(mutex_);
  const auto entry = models_.find(name);
  if (entry == models_.end() || entry->second.versions.empty()) {
    std::string why = "model '" + name + "' is not loaded";
    if (entry != models_.end() && !entry->second.error.ok())
      return {ErrorKind::kNotFound, why + ": " + entry->second.error.message()};
    NameList loaded;
    for (const auto& [other, state] : models_) {
      if (!state.versions.empty()) loaded.Add(other);
    }
    return {ErrorKind::kNotFound, why + "; loaded: " + loaded.text()};
  }
  const auto& versions = entry->second.versions;
  auto found = std::prev(versions.end());
  if (is_label) {
    const auto label = entry->second.labels.find(version);
    if (label == entry->second.labels.end())
      return {ErrorKind::kNotFound, "model '" + name + "' has no label '" + version + "'; it has " +
                                        LabelsOf(entry->second.labels)};
    found = versions.find(label->second);
  } else if (!version.empty()) {
    int64_t number = 0;
    const auto end = std::from_chars(version.data(), version.data() + version.size(), number);
    if (end.ec != std::errc() || end.ptr != version.data() + version.size())
      return Invalid("expected a version that is a number, found '" + version + "'");
    found = versions.find(number);
  }
  if (found == versions.end())
    return {ErrorKind::kNotFound,
            "model '" + name + "' has no version '" + version + "' loaded; it has " + NumbersOf(versions)};
  *out = found->second;
  return {};
}

std::vector<Repository::VersionPtr> Repository::Versions(const std::string& name) const {
  std::vector<VersionPtr> all;
  const std::shared_lock lock(mutex_);
  for (const auto& [model, entry] : models_) {
    if (!name.empty() && model != name) continue;
    for (const auto& [number, version] : entry.versions) all.push_back(version);
  }
  return all;
}

std::vector<IndexEntry> Repository::Index(bool looks_into_folder) const {
  std::vector<std::string> names, passed_over;
  if (looks_into_folder) {
    const Error error = ListModels(options_.folder, &names, &passed_over);
    if (!error.ok()) Log(true, "", error.message());
  }
  std::vector<IndexEntry> index;
  const std::shared_lock lock(mutex_);
  for (const auto& [name, entry] : models_) {
    for (const auto& [number, version] : entry.versions)
      index.push_back({name, std::to_string(number), "READY", ""});
    if (entry.versions.empty()) index.push_back({name, "", "UNAVAILABLE", entry.error.message()});
  }
  for (const std::string& name : names) {
    if (models_.count(name) == 0) index.push_back({name, "", "UNAVAILABLE", "not loaded"});
  }
  std::sort(index.begin(), index.end(),
            [](const IndexEntry& a, const IndexEntry& b) { return a.model < b.model; });
  return index;
}

Error Repository::Submit(InferRequest* request, bool is_label, const InferCallback& done, VersionPtr* version,
                         JobPtr* job) {
  const std::string name = request->model, wanted = request->version;
  for (;;) {
    MICRORT_SERVE_RETURN_IF_ERROR(Find(name, wanted, is_label, version));
    const VersionPtr tried = *version;
    const Error error = tried->Submit(request, done, job);
    if (error.ok() || !tried->is_draining()) return error;
    // It has been replaced, or is found no more, since it was found; unless all of the server ends.
    if (Find(name, wanted, is_label, version).ok() && *version == tried) return error;
  }
}

void Repository::StopLoading() {
  is_loading_stopped_ = true;
  tasks_.Close();
}

bool Repository::Stop(Clock::time_point deadline) {
  StopLoading();
  {
    const std::lock_guard lock(work_mutex_);
    stopping_ = true;
  }
  work_changed_.notify_all();
  {
    const std::unique_lock lock(mutex_);
    is_ending_ = true;
  }
  for (const VersionPtr& version : Versions("")) retired_.Add(version, deadline);
  const Clock::time_point last = std::max(deadline, Clock::now()) + kMoment;
  if (!tasks_.WaitUntil(last) || !retired_.WaitUntil(last)) return false;
  if (thread_.joinable()) thread_.join();
  return true;
}

}  // namespace micrort::serve
