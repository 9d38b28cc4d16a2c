# Completion of bash for mnnconvert and micrort-*: long flags are those that --help lists, everything else is a file.

_micrort() {
  COMPREPLY=()
  [[ $2 == -* ]] || return
  mapfile -t COMPREPLY < <(compgen -W "$("$1" --help 2>/dev/null | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u)" -- "$2")
}
complete -o default -F _micrort mnnconvert micrort-run micrort-bench micrort-info micrort-generate micrort-transcribe micrort-seal
