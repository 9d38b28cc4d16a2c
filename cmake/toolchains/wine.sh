#!/bin/sh
# wine.sh PROGRAM[.exe] [argument...]: runs a program for Windows by Debian's wine, quietly, without a display, with arguments in UTF-8 and with
# a folder of settings of its own.
export WINEPREFIX="${WINEPREFIX:-${XDG_CACHE_HOME:-$HOME/.cache}/micrort-wine}" WINEDEBUG="${WINEDEBUG:--all}" LC_ALL=C.UTF-8
unset DISPLAY WAYLAND_DISPLAY
mkdir -p "$WINEPREFIX"
program=$1
shift
[ -e "$program" ] || program=$program.exe
exec /usr/lib/wine/wine64 "$program" "$@"
