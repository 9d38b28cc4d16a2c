#!/usr/bin/env python3
"""faults.py PORT MODEL COUNT: clients that break the rules beside clients that keep them; all COUNT requests of the latter are answered.
One in a hundred breaks the rules, and at least 80.

MODEL is a Relu of FP32 [?, 4]."""

import http.client
import random
import socket
import sys
import threading
import time

port, model, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
path = f'/v2/models/{model}/infer'
body = b'{"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,-4]}]}'
head = b'POST ' + path.encode() + b' HTTP/1.1\r\nHost: h\r\n'
failures = []


def send(data, wait=0.0, reads=False):
    with socket.create_connection(('127.0.0.1', port), timeout=20) as s:
        s.sendall(data)
        time.sleep(wait)
        if reads:
            s.recv(4096)


def length(n):
    return b'Content-Length: %d\r\n\r\n' % n


FAULTS = [
    lambda r: send(head + length(len(body)) + body[:r.randrange(len(body))]),  # the rest never comes
    lambda r: send(head + length(10) + body[:10], reads=True),  # truncated JSON
    lambda r: send(head + length(len(body)) + body),  # goes away before the answer
    lambda r: send(head + b'X: ' + b'x' * 100000 + b'\r\n' + length(2) + b'{}'),  # huge header
    lambda r: send(head + length(1 << 40)),  # promises a terabyte
    lambda r: send(head + b'Content-Length: -5\r\n\r\n', reads=True),
    lambda r: send(bytes(r.randrange(256) for _ in range(200)) + b'\r\n\r\n'),  # no HTTP
    lambda r: send(head + b'Transfer-Encoding: chunked\r\n\r\nzz\r\n' + body),  # no chunk
    lambda r: send(head[:20], wait=0.2),  # slow
    lambda r: send(b'GET /v2/models/%00%ff/../.. HTTP/1.1\r\n\r\n', reads=True),
    lambda r: send(head + b'Inference-Header-Content-Length: 99999999999999999999\r\n' + length(2) + b'{}', reads=True),
    lambda r: send((head + length(len(body)) + body) * 3, reads=True),  # pipelined, and away after the first
]


def breaker(seed):
    r = random.Random(seed)
    for _ in range(max(count // 200, 40)):
        try:
            r.choice(FAULTS)(r)
        except OSError:
            pass  # the server may close such connections as it likes


def keeper():
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    for _ in range(count // 2):
        connection.request('POST', path, body)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200 or b'"data":[1,0,3,0]' not in text:
            failures.append((answer.status, text))


threads = [threading.Thread(target=keeper) for _ in range(2)] + [
    threading.Thread(target=breaker, args=(seed,)) for seed in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if failures:
    sys.exit(f'{len(failures)} requests were lost, for example {failures[0]}')
print('ok')
