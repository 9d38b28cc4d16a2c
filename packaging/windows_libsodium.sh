#!/usr/bin/env bash
# windows_libsodium.sh FOLDER: compiles Debian's libsodium for 64-bit Windows by mingw-w64 into FOLDER, from the source of its package; nothing is
# installed. Needs g++-mingw-w64-x86-64-posix, dpkg-dev, make, autoconf, automake and libtool.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
[[ -e $folder/lib/libsodium.a ]] && exit
work=$folder/work
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/sources"
# The archives of this machine, of which only sources are asked for here.
{ cat /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } | sed 's/^Types: .*/Types: deb-src/' >"$work/sources/all.sources"
{ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true; } | sed -n 's/^deb /deb-src /p' >"$work/sources/all.list"
apt=(apt-get -qq -o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$work/sources" -o "Dir::State::lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o "APT::Sandbox::User=$(id -un)")
"${apt[@]}" update >&2
cd "$work"
"${apt[@]}" source --download-only libsodium >&2
rm -rf source
dpkg-source --no-check -x libsodium_*.dsc source >&2
cd source
{
  autoreconf -fi
  ./configure --host=x86_64-w64-mingw32 CC=x86_64-w64-mingw32-gcc-posix CFLAGS=-O2 --disable-shared --enable-static --prefix="$folder"
  make -j "$(nproc)" -C src/libsodium install
  make install-pkgconfigDATA
} >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
rm -rf "$work/source"
