#pragma once
// The models that a server has, and how they come and go.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "serve/repository/model_folder.h"
#include "serve/repository/model_tasks.h"
#include "serve/repository/model_version.h"
#include "serve/repository/retired_versions.h"

namespace micrort::serve {

enum class ControlMode { kNone, kPoll, kExplicit };

struct RepositoryOptions {
  std::string folder;
  ControlMode mode = ControlMode::kNone;
  std::vector<std::string> startup_models;  // of kExplicit
  uint64_t poll_seconds = 15;
  size_t max_models = 1000;
  uint64_t load_seconds = 300;       // for loading a model: converting it, and its warm-ups
  uint64_t drain_seconds = 30;       // for what a model that is unloaded still has to answer
  std::vector<std::string> sources;  // names of files that `convert` takes
  std::function<Error(const std::string& path, const LoadLimit& limit, ModelBytes* bytes)> convert;
  // `versions`: those that a message is about, "" if it is about none.
  std::function<void(bool is_error, const std::string& model, const std::string& versions,
                     const std::string& message)>
      log;
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

  explicit Repository(RepositoryOptions options);
  ~Repository();

  // Begins to load what the mode says, each model by a thread of its own; `done` is called when that is over.
  void Start(std::function<void()> done);
  // For kExplicit only; `done` is called by a thread of the model. A model that is loaded already is loaded
  // anew: the versions before it answer until the new ones can. What an unloaded one has taken is answered
  // after `done`.
  void Load(const std::string& name, Done done);
  void Unload(const std::string& name, Done done);
  // Looks for what has changed in the folder, as kPoll does by itself; with kExplicit, of models that are
  // loaded.
  void Refresh();

  // `version`: "" for the newest, a number, or with `is_label` one of the configuration's labels.
  Error Find(const std::string& name, const std::string& version, bool is_label, VersionPtr* out) const;
  // All versions of a model, ascending, or of all models with name "".
  std::vector<VersionPtr> Versions(const std::string& name) const;
  // `looks_into_folder`: also models there that nobody asked for.
  std::vector<IndexEntry> Index(bool looks_into_folder = true) const;

  // Submits to the model that the request names, also while it is replaced by a newer one.
  Error Submit(InferRequest* request, bool is_label, const InferCallback& done, VersionPtr* version,
               JobPtr* job);

  // Loads nothing more: what is asked for is refused, and what is being loaded ends as soon as it can be
  // ended.
  void StopLoading();
  // Answers what waits in every model, and takes nothing more; what is not done by then is ended. False if a
  // thread could not be ended a moment later: then only the end of the program remains.
  bool Stop(Clock::time_point deadline);

 private:
  struct Entry {
    std::map<int64_t, VersionPtr> versions;
    std::map<std::string, int64_t> labels;
    std::string fingerprint;
    Error error;  // why the last load failed
  };

  void Work();
  void Retire(const std::map<int64_t, VersionPtr>& versions);
  bool Post(const std::string& model, std::function<Error()> change, Done done);
  void RequireExplicit(const std::string& name, Done done, std::function<Error()> change);
  std::vector<std::string> List();
  void LoadStartupModels(std::function<void()> done);
  void LookForChanges();
  bool HasChanged(const std::string& name) const;
  Error LoadNow(const std::string& name);
  Error LoadVersions(const std::string& name, const ModelFolder& folder, Entry* entry);
  Error CheckRoom(const std::string& name) const;
  Error Install(const std::string& name, const Error& error, Entry* loaded);
  Error UnloadNow(const std::string& name);
  void Log(bool is_error, const std::string& model, const std::string& message,
           const std::string& versions = "") const;

  const RepositoryOptions options_;
  mutable std::shared_mutex mutex_;
  std::map<std::string, Entry> models_;
  bool is_ending_ = false;  // by mutex_: nothing is installed any more

  std::atomic<bool> is_loading_stopped_{false};
  std::mutex work_mutex_;
  std::condition_variable work_changed_;
  bool looks_for_changes_ = false, stopping_ = false;
  RetiredVersions retired_;
  ModelTasks tasks_;
  // For the repository's thread only.
  std::set<std::string> passed_over_;  // names that were told
  std::thread thread_;
};

}  // namespace micrort::serve
