#pragma once
// The models that a server has, and how they come and go.

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/repository/model_folder.h"
#include "serve/repository/model_version.h"

namespace micrort::serve {

enum class ControlMode { kNone, kPoll, kExplicit };

struct RepositoryOptions {
  std::string folder;
  ControlMode mode = ControlMode::kNone;
  std::vector<std::string> startup_models;  // of kExplicit
  uint64_t poll_seconds = 15;
  size_t max_models = 1000;
  std::vector<std::string> sources;  // names of files that `convert` takes
  std::function<Error(const std::string& path, ModelBytes* bytes)> convert;
  std::function<void(bool is_error, const std::string& model, const std::string& message)> log;
  ServingContext context;
};

struct IndexEntry {
  std::string model, version, state, reason;
};

// Thread-safe.
class Repository {
 public:
  using Done = std::function<void(const Error&)>;
  using VersionPtr = std::shared_ptr<ModelVersion>;

  explicit Repository(RepositoryOptions options) : options_(std::move(options)) {}
  ~Repository();

  // Begins to load what the mode says, by a thread of its own; `done` is called when that is over.
  void Start(std::function<void()> done);
  // Of kExplicit only; `done` is called by the repository's thread. A model that is loaded already is loaded
  // anew: the versions before it answer until the new ones can.
  void Load(const std::string& name, Done done);
  void Unload(const std::string& name, Done done);

  // `version`: "" for the newest, a number, or with `is_label` one of the configuration's labels.
  Error Find(const std::string& name, const std::string& version, bool is_label, VersionPtr* out) const;
  // All versions of a model, ascending, or of all models with name "".
  std::vector<VersionPtr> Versions(const std::string& name) const;
  std::vector<IndexEntry> Index() const;

  // Submits to the model that the request names, also while it is replaced by a newer one.
  Error Submit(InferRequest* request, bool is_label, const InferCallback& done, VersionPtr* version,
               JobPtr* job);

  // Answers what waits in every model, and takes nothing more.
  void Stop();

 private:
  struct Entry {
    std::map<int64_t, VersionPtr> versions;
    std::map<std::string, int64_t> labels;
    std::string fingerprint;
    Error error;  // why the last load failed
  };

  void Work();
  void Post(std::function<void()> task);
  void RequireExplicit(Done done, std::function<Error()> change);
  void LoadStartupModels();
  void Poll();
  Error LoadNow(const std::string& name);
  Error LoadVersions(const std::string& name, const ModelFolder& folder, Entry* entry);
  Error UnloadNow(const std::string& name);
  void Log(bool is_error, const std::string& model, const std::string& message) const;

  const RepositoryOptions options_;
  mutable std::shared_mutex mutex_;
  std::map<std::string, Entry> models_;

  std::mutex tasks_mutex_;
  std::condition_variable tasks_changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace micrort::serve
