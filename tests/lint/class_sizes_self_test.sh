#!/usr/bin/env bash
# Does class_sizes.sh count the functions of classes, and nothing else?
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/kernels"

# expect COUNT: the class on stdin has so many functions.
expect() {
  local count=$1 found
  cat >"$root/kernels/x.h"
  "$here/class_sizes.sh" "$root" "$count" >"$root/found" || { cat "$root/found" >&2; exit 1; }
  "$here/class_sizes.sh" "$root" $((count - 1)) >"$root/found" && found=less || found=$(<"$root/found")
  [[ $found == *" has $count functions, at most $((count - 1))" ]] && return
  echo "class_sizes_self_test: expected $count, found: $found" >&2
  exit 1
}

expect 4 <<'EOF'
class A final : public B {
 public:
  explicit A(int x) : x_(x), f_{1, 2} {}
  A(const A&) = delete;
  ~A() = default;
  template <typename T>
  T Get(void (*visit)(int), T otherwise = T()) const {
    for (int i = 0; i < 3; ++i) visit(i);
    return otherwise;
  }
  bool operator==(const A& other) const { return x_ == other.x_; }  // one (only)
  static const char* Name();

 private:
  friend void Touch(A* a);
  using Function = int (*)(double);
  int x_ = Default(7);
  int f_[2];
  const char* text_ = "void Not(); {";
  void (*run_)(int) = nullptr;
};
EOF
# Inner classes are counted by themselves; functions and classes inside of functions are not members.
expect 2 <<'EOF'
void Free() {
  int local(3);
  local();
}
struct Outer {
  struct Inner {
    int One();
    int Two();
  };
  enum class Kind { kA, kB };
  Inner Make() { return Inner{}; }
};
EOF
# Overloads are one function, and so are constructors and the destructor.
expect 4 <<'EOF'
class B {
 public:
  explicit B(int x);
  B(B&& other) noexcept;
  ~B();
  B& operator=(B&& other) noexcept;
  int* data() { return data_; }
  const int* data() const { return data_; }
  static Status Open(const char* path, B* out);
  static Status Open(Span<const uint8_t> bytes, B* out);
};
EOF
rm "$root/kernels/x.h"
echo 'int x;' >"$root/kernels/y.h"
if "$here/class_sizes.sh" "$root" >/dev/null; then
  echo "class_sizes_self_test: no class is an error" >&2
  exit 1
fi
