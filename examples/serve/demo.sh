#!/usr/bin/env bash
# demo.sh PROGRAMS FOLDER [--once]: makes a repository of two models in FOLDER, serves it, asks each interface by curl,
# and goes on serving until Ctrl-C, or ends with --once. PROGRAMS has mnnconvert and micrort-serve. Ports are the defaults,
# or from PORT on, if that is set.
set -euo pipefail
programs=$1 folder=$2 once=${3:-}
root=$(cd "$(dirname "$0")/../.." && pwd)
http=${PORT:-8000}
grpc=$((http + 1)) metrics=$((http + 2)) rest=${PORT:+$((http + 3))}
rest=${rest:-8501}

say() { printf '\n== %s\n' "$*" >&2; }

# add_model NAME SOURCE [flag of mnnconvert...]: version 1 of a model.
add_model() {
  local target=$folder/$1/1/model.fb
  mkdir -p "$folder/$1/1"
  "$programs/mnnconvert" "$2" -o "$target" --quiet "${@:3}"
}

rm -rf "$folder"
data=${MICRORT_MODEL_DATA:-$root/../shared}/models/onnx
say "making $folder"
add_model digits "$root/examples/meter_reader/meter_digits.onnx" --input-shape 'input=?x1x32x24'
printf 'max_batch_size: 8\ndynamic_batching { max_queue_delay_microseconds: 500 }\n' >"$folder/digits/config.pbtxt"
if [[ -f $data/resnet8.onnx ]]; then
  add_model second "$data/resnet8.onnx" --input-shape 'input=1x32x32x3'
else
  add_model second "$root/examples/meter_reader/meter_digits.onnx" --quant int8 --input-shape 'input=1x1x32x24'
fi

say "serving"
"$programs/micrort-serve" --model-repository "$folder" --http-port "$http" --grpc-port "$grpc" --metrics-port "$metrics" \
  --rest-api-port "$rest" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" || true' EXIT
for ((i = 0; i < 100; ++i)); do
  curl -sf "localhost:$http/v2/health/ready" >/dev/null && break
  kill -0 "$server" || exit 1
  sleep 0.1
done

# zeros COUNT: that many numbers.
zeros() { printf '0%.0s,' $(seq "$1") | sed 's/,$//'; }

ask() {
  printf '\n$ curl %s\n' "$1" >&2
  curl -sf --max-time 10 "$@"
  echo
}
ask "localhost:$http/v2/models/digits"
ask "localhost:$http/v2/models/digits/infer" \
  -d '{"inputs":[{"name":"input","datatype":"FP32","shape":[1,1,32,24],"data":['"$(zeros 768)"']}]}'
ask "localhost:$rest/v1/models/second/metadata"
ask "localhost:$http/v2/repository/index" -X POST
ask "localhost:$metrics/metrics" | grep requests_success

[[ $once == --once ]] && exit
say "the page is http://localhost:$http; Ctrl-C ends the server"
wait "$server"
