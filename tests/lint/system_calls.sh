#!/usr/bin/env bash
# system_calls.sh ROOT: what asks the system lies in kernels/base/platform/ and tools/io/platform/, in one variant a system, so that
# a new system is new files. Prints each header of a system, each #if of one and each call of it that comes with a header of the
# standard, elsewhere in the device code, its programs and the converter. Exit code 1 if there is one. Not in
# converter/aot/source_text.cpp, whose text is for the compilers of all systems.
set -euo pipefail
cd "$1"

folders=()
for folder in kernels runtime tools sealed text converter web; do
  [[ -d $folder ]] && folders+=("$folder")
done
((${#folders[@]})) || exit 0
headers='unistd|fcntl|io|signal|sched|pthread|poll|termios|dirent|dlfcn|spawn|malloc|windows|psapi|shellapi|(sys|linux|mach|netinet|arpa|asm)/[a-z_/]*'
systems='_WIN32|_WIN64|__MINGW(32|64)__|_MSC_VER|__linux__|__linux|__unix__|__ANDROID__|__APPLE__|__MACH__|__EMSCRIPTEN__|__GLIBC__|_POSIX[A-Z_]*'
calls='sysconf|pread|fstat|clock_gettime|nanosleep|usleep|fileno|isatty|popen|posix_memalign|malloc_usable_size|setenv|unsetenv|strerror_r|localtime_r|gmtime_r|realpath'
found=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.c' --include='*.inc' \
  -e "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($headers)\.h>" \
  -e "^[[:space:]]*#[[:space:]]*(el)?if.*\b($systems)\b" \
  -e "^[^/\"]*\b($calls)\(" "${folders[@]}" | grep -vE '^(kernels/base|tools/io)/platform/|^converter/aot/source_text\.cpp:' || true)
[[ -z $found ]] && exit 0
echo "$found"
echo "system_calls: these belong in kernels/base/platform/ or tools/io/platform/" >&2
exit 1
