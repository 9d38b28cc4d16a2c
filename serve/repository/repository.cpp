#include "serve/repository/repository.h"

#include <algorithm>
#include <charconv>
#include <exception>

namespace micrort::serve {

Repository::~Repository() { Stop(); }

void Repository::Log(bool is_error, const std::string& model, const std::string& message) const {
  if (options_.log) options_.log(is_error, model, message);
}

void Repository::Start(std::function<void()> done) {
  Post([this, done = std::move(done)] {
    LoadStartupModels();
    done();
  });
  thread_ = std::thread([this] { Work(); });
}

void Repository::Post(std::function<void()> task) {
  {
    const std::lock_guard lock(tasks_mutex_);
    tasks_.push_back(std::move(task));
  }
  tasks_changed_.notify_one();
}

void Repository::Work() {
  auto next_poll = Clock::now() + std::chrono::seconds(options_.poll_seconds);
  std::unique_lock lock(tasks_mutex_);
  while (!stopping_) {
    if (!tasks_.empty()) {
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    } else if (options_.mode != ControlMode::kPoll) {
      tasks_changed_.wait(lock);
    } else if (Clock::now() < next_poll) {
      tasks_changed_.wait_until(lock, next_poll);
    } else {
      lock.unlock();
      Poll();
      next_poll = Clock::now() + std::chrono::seconds(options_.poll_seconds);
      lock.lock();
    }
  }
}

void Repository::LoadStartupModels() {
  std::vector<std::string> names = options_.startup_models;
  const bool all = options_.mode != ControlMode::kExplicit || names == std::vector<std::string>{"*"};
  if (all) {
    names.clear();
    const Error error = ListModels(options_.folder, &names);
    if (!error.ok()) Log(true, "", error.message());
  }
  for (const std::string& name : names) (void)LoadNow(name);
}

void Repository::Poll() {
  std::vector<std::string> found;
  if (const Error error = ListModels(options_.folder, &found); !error.ok())
    return Log(true, "", error.message());
  std::vector<std::string> gone;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [name, entry] : models_) {
      if (!std::binary_search(found.begin(), found.end(), name)) gone.push_back(name);
    }
  }
  for (const std::string& name : gone) (void)UnloadNow(name);
  for (const std::string& name : found) {
    ModelFolder folder;
    const Error error = ReadModelFolder(options_.folder, name, options_.sources, &folder);
    bool is_same = false;
    {
      const std::shared_lock lock(mutex_);
      const auto entry = models_.find(name);
      // What could not be read is told once.
      is_same = entry != models_.end() && (error.ok() ? entry->second.fingerprint == folder.fingerprint
                                                      : entry->second.error.message() == error.message());
    }
    if (!is_same) (void)LoadNow(name);
  }
}

Error Repository::LoadVersions(const std::string& name, const ModelFolder& folder, Entry* entry) {
  for (const VersionFile& file : folder.versions) {
    ModelBytes bytes;
    const size_t slash = file.path.rfind('/');
    if (options_.convert && file.path.substr(slash + 1) != folder.config.model_file)
      MICRORT_SERVE_RETURN_IF_ERROR(options_.convert(file.path, &bytes));
    VersionPtr version;
    MICRORT_SERVE_RETURN_IF_ERROR(
        ModelVersion::Load(name, file.version, file.path, bytes, folder.config, options_.context, &version));
    if (!version->note().empty()) Log(false, name, version->note());
    entry->versions[file.version] = std::move(version);
  }
  return {};
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
    bool is_full = false;
    {
      const std::shared_lock lock(mutex_);
      is_full = models_.count(name) == 0 && models_.size() >= options_.max_models;
    }
    if (is_full)
      return {ErrorKind::kUnavailable,
              "this server has " + std::to_string(options_.max_models) + " models already"};
    if (error.ok()) error = LoadVersions(name, folder, &loaded);
  } catch (const std::exception& e) {
    error = {ErrorKind::kUnavailable, e.what()};
  }
  std::map<int64_t, VersionPtr> former;
  {
    const std::unique_lock lock(mutex_);
    if (error.kind() == ErrorKind::kNotFound && models_.count(name) == 0) return error;
    Entry& entry = models_[name];
    if (error.ok()) {
      former.swap(entry.versions);
      entry = std::move(loaded);
    } else {
      // What was loaded before goes on.
      entry.error = error;
      entry.fingerprint = loaded.fingerprint;
    }
  }
  for (const auto& [number, version] : former) version->Drain();
  for (const auto& [number, version] : loaded.versions) version->Drain();
  Log(!error.ok(), name, error.ok() ? "loaded" : error.message());
  return error;
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
  for (const auto& [number, version] : former) version->Drain();
  Log(false, name, "unloaded");
  return {};
}

void Repository::RequireExplicit(Done done, std::function<Error()> change) {
  if (options_.mode != ControlMode::kExplicit) {
    return done(Invalid("models are loaded and unloaded by request only with --model-control-mode explicit"));
  }
  Post([done = std::move(done), change = std::move(change)] { done(change()); });
}

void Repository::Load(const std::string& name, Done done) {
  RequireExplicit(std::move(done), [this, name] { return LoadNow(name); });
}

void Repository::Unload(const std::string& name, Done done) {
  RequireExplicit(std::move(done), [this, name] { return UnloadNow(name); });
}

Error Repository::Find(const std::string& name, const std::string& version, bool is_label,
                       VersionPtr* out) const {
  const std::shared_lock lock(mutex_);
  const auto entry = models_.find(name);
  if (entry == models_.end() || entry->second.versions.empty()) {
    std::string why = "model '" + name + "' is not loaded";
    if (entry != models_.end() && !entry->second.error.ok()) why += ": " + entry->second.error.message();
    return {ErrorKind::kNotFound, why};
  }
  const auto& versions = entry->second.versions;
  auto found = std::prev(versions.end());
  if (is_label) {
    const auto label = entry->second.labels.find(version);
    if (label == entry->second.labels.end())
      return {ErrorKind::kNotFound, "model '" + name + "' has no label '" + version + "'"};
    found = versions.find(label->second);
  } else if (!version.empty()) {
    int64_t number = 0;
    const auto end = std::from_chars(version.data(), version.data() + version.size(), number);
    if (end.ec != std::errc() || end.ptr != version.data() + version.size())
      return Invalid("expected a version that is a number, found '" + version + "'");
    found = versions.find(number);
  }
  if (found == versions.end())
    return {ErrorKind::kNotFound, "model '" + name + "' has no version '" + version + "' loaded"};
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

std::vector<IndexEntry> Repository::Index() const {
  std::vector<std::string> names;
  if (const Error error = ListModels(options_.folder, &names); !error.ok()) Log(true, "", error.message());
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

void Repository::Stop() {
  {
    const std::lock_guard lock(tasks_mutex_);
    stopping_ = true;
  }
  tasks_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (const VersionPtr& version : Versions("")) version->Drain();
}

}  // namespace micrort::serve
