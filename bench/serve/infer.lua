-- infer.lua FILE HEADER_BYTES: wrk posts the file, JSON of so many bytes with binary tensors behind it.
function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  wrk.method = "POST"
  wrk.body = file:read("*a")
  wrk.headers["Inference-Header-Content-Length"] = arguments[2]
  wrk.headers["Content-Type"] = "application/octet-stream"
end

function done(summary, latency, requests)
  local failures = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format('{"rate": %.1f, "failures": %d, "p50": %.1f, "p99": %.1f}\n',
    summary.requests / summary.duration * 1e6, failures, latency:percentile(50), latency:percentile(99)))
end
