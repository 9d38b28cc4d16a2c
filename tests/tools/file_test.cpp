#include "tools/io/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include "tests/status_matchers.h"
#include "tests/tools/temporary_folder.h"

namespace micrort::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::TemporaryFolder;

TEST(File, ReadsWhatWasWrittenAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a.txt");
  ASSERT_THAT(WriteFileAtomically(path, std::string("first")), IsOk());
  ASSERT_THAT(WriteFileAtomically(path, std::string(100000, 'x')), IsOk());
  std::vector<uint8_t> bytes;
  ASSERT_THAT(ReadFile(path, &bytes), IsOk());
  EXPECT_EQ(bytes, std::vector<uint8_t>(100000, 'x'));
  std::vector<std::string> files;
  ASSERT_THAT(ListFiles(folder.path(), &files), IsOk());
  EXPECT_THAT(files, ElementsAre(path));
}

TEST(File, NamesThePathAndTheReason) {
  const TemporaryFolder folder;
  std::vector<uint8_t> bytes;
  std::vector<std::string> files;
  const std::string missing = folder.File("missing/file");
  EXPECT_THAT(ReadFile(missing, &bytes),
              IsError(StatusCode::kIo, AllOf(HasSubstr(missing), HasSubstr("No such file"))));
  EXPECT_THAT(ReadFile(folder.path(), &bytes), IsError(StatusCode::kIo, HasSubstr("found a folder")));
  EXPECT_THAT(WriteFileAtomically(missing, std::string("x")),
              IsError(StatusCode::kIo, HasSubstr("its folder does not exist: mkdir -p")));
  EXPECT_THAT(WriteFileAtomically(folder.path(), std::string("x")),
              IsError(StatusCode::kIo, HasSubstr("found a folder")));
  EXPECT_THAT(ListFiles(missing, &files), IsError(StatusCode::kIo, HasSubstr("cannot list")));
}

std::string Text(const std::string& path) {
  std::vector<uint8_t> bytes;
  EXPECT_THAT(ReadFile(path, &bytes), IsOk());
  return std::string(bytes.begin(), bytes.end());
}

std::vector<std::string> Files(const TemporaryFolder& folder) {
  std::vector<std::string> files;
  EXPECT_THAT(ListFiles(folder.path(), &files), IsOk());
  return files;
}

TEST(File, WritesThroughLinks) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.File("models"));
  const std::string target = folder.File("models/v2.fb"), link = folder.File("latest.fb");
  std::filesystem::create_symlink("models/v2.fb", link);
  ASSERT_THAT(WriteFileAtomically(link, std::string("new")), IsOk());  // what it leads to is not there yet
  ASSERT_THAT(WriteFileAtomically(link, std::string("newer")), IsOk());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(Text(target), "newer");

  std::filesystem::create_symlink("loop", folder.File("loop"));
  EXPECT_THAT(WriteFileAtomically(folder.File("loop"), std::string("x")), IsError(StatusCode::kIo));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.File("loop")));
}

TEST(File, WritesIntoPipesAndDevicesAndLeavesThemWhatTheyAre) {
  const TemporaryFolder folder;
  const std::string pipe = folder.File("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = Text(pipe); });
  EXPECT_THAT(WriteFileAtomically(pipe, std::string(100000, 'x')), IsOk());
  reader.join();
  EXPECT_EQ(read, std::string(100000, 'x'));
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_THAT(WriteFileAtomically("/dev/null", std::string("x")), IsOk());
  EXPECT_THAT(WriteFileAtomically("/dev/full", std::string("x")),
              IsError(StatusCode::kIo, HasSubstr("No space left")));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(File, KeepsThePermissionsOfWhatItReplaces) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a");
  ASSERT_THAT(WriteFileAtomically(path, std::string("x")), IsOk());
  ASSERT_EQ(chmod(path.c_str(), 0646), 0);
  ASSERT_THAT(WriteFileAtomically(path, std::string("y")), IsOk());
  struct stat info {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0646u);
}

// In a process of its own that may write 10 bytes only, where `on_limit` happens at the 11th.
int ExitOfWritingTooMuch(const std::string& path, void (*on_limit)(int)) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, on_limit);
    const rlimit limit = {10, 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(WriteFileAtomically(path, std::string(1000, 'x')).code() == StatusCode::kIo ? 7 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(File, WhatCannotBeWrittenWholeLeavesNothingBehind) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a");
  ASSERT_THAT(WriteFileAtomically(path, std::string("old")), IsOk());
  const int status = ExitOfWritingTooMuch(path, SIG_IGN);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
  EXPECT_THAT(Files(folder), ElementsAre(path));
  EXPECT_EQ(Text(path), "old");
}

TEST(File, SignalsThatEndTheProgramRemoveTheUnfinishedFile) {
  const TemporaryFolder folder;
  const int status = ExitOfWritingTooMuch(folder.File("a"), [](int) { raise(SIGTERM); });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  EXPECT_THAT(Files(folder), ElementsAre());
}

TEST(File, OutputsAreNeitherSourcesNorEachOther) {
  const TemporaryFolder folder;
  const std::string a = folder.File("a"), b = folder.File("b"), link = folder.File("link");
  ASSERT_THAT(WriteFileAtomically(a, std::string("x")), IsOk());
  std::filesystem::create_symlink("a", link);
  std::filesystem::create_hard_link(a, folder.File("second name"));
  EXPECT_THAT(CheckOutputFiles({b}, {a, ""}), IsOk());
  for (const std::string& name : {a, link, folder.File("./a"), folder.File("second name")})
    EXPECT_THAT(CheckOutputFiles({b, name}, {a}), IsError(StatusCode::kInvalidArgument, HasSubstr(name)));
  EXPECT_THAT(CheckOutputFiles({b, folder.File("x/../b")}, {a}),
              IsError(StatusCode::kInvalidArgument, HasSubstr("two outputs")));
  EXPECT_THAT(CheckOutputFiles({"/dev/null", "/dev/null"}, {a}), IsOk());
}

// Quadratic, this would take minutes.
TEST(File, ManyOutputsAreComparedSoon) {
  const TemporaryFolder folder;
  std::vector<std::string> outputs;
  for (int i = 0; i < 20000; ++i) outputs.push_back(folder.File(std::to_string(i)));
  EXPECT_THAT(CheckOutputFiles(outputs, outputs),
              IsError(StatusCode::kInvalidArgument, HasSubstr("is read")));
  EXPECT_THAT(CheckOutputFiles(outputs, {}), IsOk());
  outputs.push_back(folder.File("./7"));
  EXPECT_THAT(CheckOutputFiles(outputs, {}), IsError(StatusCode::kInvalidArgument, HasSubstr("two outputs")));
}

TEST(File, DevicesAreNotReadForEver) {
  std::vector<uint8_t> bytes;
  for (const char* device : {"/dev/zero", "/dev/null"})
    EXPECT_THAT(ReadFile(device, &bytes), IsError(StatusCode::kIo, HasSubstr("found a device")));
}

TEST(File, SocketsAreNoFiles) {
  const TemporaryFolder folder;
  const std::string path = folder.File("socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int file = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  close(file);
  std::vector<uint8_t> bytes;
  EXPECT_THAT(ReadFile(path, &bytes), IsError(StatusCode::kIo, HasSubstr("found a socket")));
}

TEST(File, NobodyWaitsForThePipesThatNobodyUses) {
  const TemporaryFolder folder;
  const std::string pipe = folder.File("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    EXPECT_THAT(WriteFileAtomically(pipe, std::string("x")),
                IsError(StatusCode::kIo, HasSubstr("nobody reads from this pipe")));
  });
  std::vector<uint8_t> bytes;
  const std::string other = folder.File("other");
  ASSERT_EQ(mkfifo(other.c_str(), 0600), 0);
  EXPECT_THAT(ReadFile(other, &bytes), IsError(StatusCode::kIo, HasSubstr("nobody writes to this pipe")));
  writer.join();
}

TEST(File, PipesAreReadHoweverLateTheirBytesCome) {
  const TemporaryFolder folder;
  const std::string pipe = folder.File("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto write = [&pipe](const std::vector<const char*>& parts) {
    const auto moment = std::chrono::milliseconds(30);
    std::this_thread::sleep_for(moment);
    const int file = open(pipe.c_str(), O_WRONLY);
    for (const char* part : parts) {
      std::this_thread::sleep_for(moment);
      EXPECT_EQ(::write(file, part, std::strlen(part)), static_cast<ssize_t>(std::strlen(part)));
    }
    close(file);
  };
  for (const auto& parts : {std::vector<const char*>{"a", "b", "c"}, std::vector<const char*>{}}) {
    std::thread writer(write, parts);
    EXPECT_EQ(Text(pipe).size(), parts.size());
    writer.join();
  }
}

TEST(File, PipesWithoutAnEndAreReadToALimit) {
  signal(SIGPIPE, SIG_IGN);
  const TemporaryFolder folder;
  const std::string pipe = folder.File("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&pipe] {
    EXPECT_THAT(WriteFileAtomically(pipe, std::string(1 << 20, 'x')), IsError(StatusCode::kIo));
  });
  std::vector<uint8_t> bytes;
  EXPECT_THAT(ReadFile(pipe, &bytes, 1000),
              IsError(StatusCode::kUnsupported, HasSubstr("at most 1000 bytes")));
  writer.join();
  ASSERT_THAT(WriteFileAtomically(folder.File("file"), std::string(1001, 'x')), IsOk());
  EXPECT_THAT(ReadFile(folder.File("file"), &bytes, 1000), IsError(StatusCode::kUnsupported));
}

// While it lives, the process may do what anybody may, if it could do all.
class AsNobody {
 public:
  AsNobody() { EXPECT_TRUE(!is_root_ || setresuid(65534, 65534, 0) == 0); }
  ~AsNobody() { EXPECT_TRUE(!is_root_ || setresuid(0, 0, 0) == 0); }

 private:
  const bool is_root_ = getuid() == 0;
};

TEST(File, FilesAndPipesThatMayOnlyBeReadStayAsTheyAre) {
  const TemporaryFolder folder;
  const std::string file = folder.File("file"), pipe = folder.File("pipe");
  ASSERT_THAT(WriteFileAtomically(file, std::string("kept")), IsOk());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0444), 0);
  ASSERT_EQ(chmod(file.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  {
    const AsNobody nobody;
    for (const std::string& path : {file, pipe}) {
      EXPECT_THAT(WriteFileAtomically(path, std::string("x")),
                  IsError(StatusCode::kIo, HasSubstr("Permission denied")));
    }
  }
  EXPECT_EQ(Text(file), "kept");
}

TEST(File, ThatCannotBeReadToItsEnd) {
  std::vector<uint8_t> bytes;
  EXPECT_THAT(ReadFile("/proc/self/mem", &bytes), IsError(StatusCode::kIo, HasSubstr("cannot read")));
}

TEST(File, ListsFilesOfFoldersInsideToo) {
  const TemporaryFolder folder;
  ASSERT_THAT(MakeDirectories(folder.File("x/y")), IsOk());
  for (const char* name : {"b", "x/y/c", "x/a"})
    ASSERT_THAT(WriteFileAtomically(folder.File(name), std::string()), IsOk());
  std::vector<std::string> files;
  ASSERT_THAT(ListFilesInside(folder.path(), &files), IsOk());
  EXPECT_THAT(files, ElementsAre(folder.File("b"), folder.File("x/a"), folder.File("x/y/c")));
}

TEST(File, MakesFoldersAndListsOnlyFilesSorted) {
  const TemporaryFolder folder;
  ASSERT_THAT(MakeDirectories(folder.File("x/y")), IsOk());
  ASSERT_THAT(MakeDirectories(folder.File("x/y")), IsOk());
  for (const char* name : {"x/b", "x/a", "x/c"})
    ASSERT_THAT(WriteFileAtomically(folder.File(name), std::string()), IsOk());
  std::vector<std::string> files;
  ASSERT_THAT(ListFiles(folder.File("x"), &files), IsOk());
  EXPECT_THAT(files, ElementsAre(folder.File("x/a"), folder.File("x/b"), folder.File("x/c")));
  EXPECT_THAT(MakeDirectories(folder.File("x/a")), IsError(StatusCode::kIo));
}

TEST(File, ExtensionIsLowerCase) {
  EXPECT_EQ(Extension("a.b/c.PNG"), "png");
  EXPECT_EQ(Extension("a.tar.gz"), "gz");
  EXPECT_EQ(Extension("a.b/c"), "");
}

}  // namespace
}  // namespace micrort::io
