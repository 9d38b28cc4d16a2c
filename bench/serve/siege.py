#!/usr/bin/env python3
"""siege.py BUILD [--seconds S] [--ahead]: micrort-serve under everything at once that clients have been seen to do to servers.

1,200 half-sent headers that go on by a byte, bodies that stop before their end, JSON that is small as text and large in memory, answers
of hundreds of megabytes, runs that never end, sequences without an end, web pages of others, HTTP that has two meanings, broken and
rude clients (tests/serve/faults.py); over gRPC metadata that cannot be sent back, header blocks without an end, streams that are reset
at once, messages that inflate. Beside them clients that keep the rules, and one that asks for health and metrics.

Prints what became of the latter, how long health and metrics took, the most memory, and how long the end took after SIGTERM, with a
run that never ends. Exit code 1 if a request was lost, memory grew over 1 GiB, or the end took longer than --drain-seconds and a second.
All share the processors: times say something on a calm machine only, or with --ahead, as root: then server and the one that asks for
health come before everything else on the machine, and attackers, which would be other machines, after it, also after the kernel's threads for
the network. So what is left is the server's own."""

import argparse
import http.client
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import onnx
from onnx import TensorProto, helper

import measure
import models

FAULTS = pathlib.Path(__file__).parents[2] / 'tests/serve/faults.py'
BODY = b'{"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,-4]}]}'
DRAIN_SECONDS = 2
MAX_MEMORY = 256 << 20  # bytes of a run, in the one model that takes as many as it is asked for
MOST_MEMORY = 1 << 20  # KiB: --max-request-memory, MAX_MEMORY, and 256 MiB for gRPC's quota, the program and its threads


def write_endless(path):
    """Cosines of cosines, as often as an input says."""
    body = helper.make_graph(
        [helper.make_node('Identity', ['c'], ['d']), helper.make_node('Cos', ['v'], ['w'])], 'body',
        [helper.make_tensor_value_info('i', TensorProto.INT64, []), helper.make_tensor_value_info('c', TensorProto.BOOL, []),
         helper.make_tensor_value_info('v', TensorProto.FLOAT, [4])],
        [helper.make_tensor_value_info('d', TensorProto.BOOL, []), helper.make_tensor_value_info('w', TensorProto.FLOAT, [4])])
    save(path, [helper.make_node('Loop', ['t', '', 'x'], ['y'], body=body)],
         [helper.make_tensor_value_info('t', TensorProto.INT64, []), helper.make_tensor_value_info('x', TensorProto.FLOAT, [4])])


def write_large(path):
    """As many zeros as an input says."""
    save(path, [helper.make_node('ConstantOfShape', ['n'], ['y'])], [helper.make_tensor_value_info('n', TensorProto.INT64, [1])])


def write_sum(path):
    """x, and all x before it."""
    save(path, [helper.make_node('Add', ['x', 'last'], ['y']), helper.make_node('Identity', ['y'], ['next'])],
         [helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in ('x', 'last')], ('y', 'next'))


def save(path, nodes, inputs, outputs=('y',)):
    graph = helper.make_graph(nodes, 'net', inputs, [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)]), path)


def make_repository(build, folder):
    repository = folder / 'repository'
    for name, write, flags, config in (('empty', models.write_empty, [], ''), ('endless', write_endless, [], ''),
                                       ('large', write_large, [], ''),
                                       ('sum', write_sum, ['--state', 'next=last'], 'sequence_batching { }')):
        write(folder / f'{name}.onnx')
        (repository / name / '1').mkdir(parents=True)
        subprocess.run([build / 'bin/mnnconvert', folder / f'{name}.onnx', '-o', repository / name / '1/model.fb', '--quiet', *flags],
                       check=True)
        (repository / name / 'config.pbtxt').write_text(config)
    return repository


def connect(port, timeout=20):
    return socket.create_connection(('127.0.0.1', port), timeout=timeout)


def post(path, body, fields='', length=None):
    return (f'POST {path} HTTP/1.1\r\nHost: localhost\r\n{fields}Content-Length: {len(body) if length is None else length}\r\n\r\n').encode() + body


def ask(port, request, timeout=20):
    with connect(port, timeout) as s:
        s.sendall(request)
        return s.recv(4096)


def infer(model, *inputs, **parameters):
    tensors = [{'name': name, 'datatype': dtype, 'shape': shape, 'data': data} for name, dtype, shape, data in inputs]
    return post(f'/v2/models/{model}/infer', json.dumps({'parameters': parameters, 'inputs': tensors}).encode())


X = ('x', 'FP32', [4], [1, 2, 3, 4])
NEVER_ENDS = infer('endless', ('t', 'INT64', [], [1 << 40]), X)


# What attackers do, again and again: each takes the ports.
def half_headers(ports):
    open_ones = []
    for _ in range(1200):
        s = connect(ports['http'])
        s.sendall(b'POST /v2/models/empty/infer HTTP/1.1\r\nHost: h\r\nX: ' + b'a' * 1000)
        open_ones.append(s)
    for _ in range(20):
        for s in open_ones:
            try:
                s.sendall(b'a')
            except OSError:
                pass  # it has been closed, as it should be
        time.sleep(0.2)


def unfinished_bodies(ports):
    open_ones = []
    for _ in range(12):
        s = connect(ports['http'])
        open_ones.append(s)
        s.sendall(post('/v2/models/empty/infer', b' ' * 8_000_000, length=67_000_000))
    time.sleep(5)


def large_json(ports):
    for path, port in (('/v2/models/empty/infer', 'http'), ('/v1/models/empty:predict', 'rest-api')):
        for item in (b'[],', b'{},', b'[[]],'):
            ask(ports[port], post(path, b'{"instances":[' + item * 2_000_000 + b'[]]}'))


def large_answers(ports):
    for n in (1_000_000, 50_000_000, 200_000_000):
        ask(ports['http'], infer('large', ('n', 'INT64', [1], [n])))


def endless_runs(ports):
    with connect(ports['http']) as s:
        s.sendall(NEVER_ENDS)
        time.sleep(2)
        ask(ports['http'], post('/v2/repository/models/endless/unload', b''))
        ask(ports['http'], post('/v2/repository/models/endless/load', b''))


def endless_sequences(ports):
    for k in range(1, 2000):
        ask(ports['http'], infer('sum', X, sequence_id=random.randrange(1, 1 << 60), sequence_start=True))


def pages_of_others(ports):
    ask(ports['http'], post('/v2/repository/models/empty/unload', b'', 'Origin: http://evil.example\r\nContent-Type: text/plain\r\n'))
    ask(ports['http'], b'POST /v2/repository/models/empty/unload HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n')


def two_meanings(ports):
    start = b'POST /v2/models/empty/infer HTTP/1.1\r\nHost: h\r\n'
    for fields in (b'Content-Length : 5', b'Content-Length: 5\r\nContent-Length: 6', b'Transfer-Encoding : chunked',
                   b'Content-Length: +5', b'Transfer-Encoding: chunked\r\nContent-Length: 5', b'Content-Length: 0x5'):
        ask(ports['http'], start + fields + b'\r\n\r\n' + b'0\r\n\r\n')
    for size in (b'+5', b'0x5', b' 5', b'-1', b'f' * 20):
        ask(ports['http'], start + b'Transfer-Encoding: chunked\r\n\r\n' + size + b'\r\nabcde\r\n0\r\n\r\n')


def rude_clients(ports):
    subprocess.run([sys.executable, FAULTS, str(ports['http']), 'empty', '2000'], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


# HTTP/2, as RFC 9113 has it.
def frame(kind, flags, stream, payload):
    return struct.pack('>I', len(payload))[1:] + bytes([kind, flags]) + struct.pack('>I', stream) + payload


def text(value):
    if len(value) < 127:
        return bytes([len(value)]) + value
    rest, out = len(value) - 127, b'\x7f'
    while rest >= 128:
        out += bytes([rest % 128 + 128])
        rest //= 128
    return out + bytes([rest]) + value


def fields(*pairs):
    return b''.join(b'\0' + text(name) + text(value) for name, value in pairs)


CALL = fields((b':method', b'POST'), (b':scheme', b'http'), (b':path', b'/inference.GRPCInferenceService/ModelInfer'),
              (b':authority', b'x'), (b'content-type', b'application/grpc'), (b'te', b'trailers'))


def http2(port, *frames):
    with connect(port, 3) as s:
        s.sendall(b'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + frame(4, 0, 0, b''))
        for each in frames:
            s.sendall(each)
        s.recv(4096)


def bad_metadata(ports):
    for value in (b'a\x01b', b'a\nb', b'\x80\xff', b'a\0b', b'', b'a\r\nx: y'):
        http2(ports['grpc'], frame(1, 4, 1, CALL + fields((b'traceparent', value))), frame(0, 1, 1, b'\0\0\0\0\0'))


def endless_headers(ports):
    http2(ports['grpc'], frame(1, 0, 1, CALL), *itertools.repeat(frame(9, 0, 1, fields((b'k', b'v' * 3000)) * 5), 20000))


def resets(ports):
    pairs = (frame(1, 4, stream, CALL) + frame(3, 0, stream, b'\0\0\0\x08') for stream in range(1, 100000, 2))
    http2(ports['grpc'], *pairs)


def inflating(ports):
    deflate = zlib.compressobj(9, zlib.DEFLATED, 31)
    message = b''.join(deflate.compress(b'\0' * (1 << 20)) for _ in range(300)) + deflate.flush()
    message = b'\1' + struct.pack('>I', len(message)) + message
    http2(ports['grpc'], frame(1, 4, 1, CALL + fields((b'grpc-encoding', b'gzip'))),
          *(frame(0, 0, 1, message[i:i + 16000]) for i in range(0, len(message), 16000)))


ATTACKS = (half_headers, unfinished_bodies, large_json, large_answers, endless_runs, endless_sequences, pages_of_others, two_meanings,
           rude_clients, bad_metadata, endless_headers, resets, inflating)


def repeat(attack, ports, ends, counts, niceness):
    os.nice(niceness)
    while not ends.is_set():
        try:
            attack(ports)
        except OSError:
            pass  # servers close such connections
        counts[ATTACKS.index(attack)] += 1
        time.sleep(0.05)


def keep_the_rules(ports, ends, results):
    """Puts how many were answered, how many of these after being told to come again, and what went wrong."""
    answered, repeated, lost = 0, 0, []
    connection = http.client.HTTPConnection('127.0.0.1', ports['http'], timeout=60)
    while not ends.is_set():
        try:
            connection.request('POST', '/v2/models/empty/infer', BODY)
            answer = connection.getresponse()
            found = answer.read()
        except (OSError, http.client.HTTPException) as error:
            lost.append(repr(error))
            connection = http.client.HTTPConnection('127.0.0.1', ports['http'], timeout=60)
            continue
        if answer.status == 503 and answer.headers['Retry-After']:
            repeated += 1
            time.sleep(0.1)
        elif answer.status == 200 and b'"data":[1,0,3,0]' in found:
            answered += 1
        else:
            lost.append((answer.status, found[:200]))
    results.put((answered, repeated, lost))


def watch(ports, ends, results, niceness):
    """Puts the seconds that health and metrics took."""
    os.nice(niceness)
    times = []
    while not ends.is_set():
        for port, path in (('http', '/v2/health/live'), ('metrics', '/metrics')):
            begin = time.perf_counter()
            try:
                answer = ask(ports[port], f'GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'.encode(), 30)
                times.append(time.perf_counter() - begin if b' 200 ' in answer[:20] else float('inf'))
            except OSError:
                times.append(float('inf'))
        time.sleep(0.02)
    results.put(times)


def most_memory(pid):
    with open(f'/proc/{pid}/status') as status:
        return next(int(line.split()[1]) for line in status if line.startswith('VmHWM'))


def besiege(ports, seconds, ahead):
    ends, answers, times = multiprocessing.Event(), multiprocessing.Queue(), multiprocessing.Queue()
    counts = multiprocessing.Array('q', len(ATTACKS))
    keepers = [multiprocessing.Process(target=keep_the_rules, args=(ports, ends, answers)) for _ in range(4)]
    others = [multiprocessing.Process(target=watch, args=(ports, ends, times, -20 if ahead else 0))]
    others += [multiprocessing.Process(target=repeat, args=(attack, ports, ends, counts, 10 if ahead else 0), daemon=True) for attack in ATTACKS]
    for process in keepers + others:
        process.start()
    time.sleep(seconds)
    ends.set()
    results = [answers.get(timeout=120) for _ in keepers]
    took = sorted(times.get(timeout=120))
    for process in others[1:]:
        process.terminate()
    for process in keepers + others:
        process.join()
    print('attacks:', ', '.join(f'{attack.__name__} {count}' for attack, count in zip(ATTACKS, counts)))
    return results, took


def seconds_to_end(server):
    with connect(server.ports['http']) as s:
        s.sendall(NEVER_ENDS)
        time.sleep(1)
        begin = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        try:
            server.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            server.process.kill()
        return time.monotonic() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--seconds', type=int, default=60)
    parser.add_argument('--ahead', action='store_true', help='the server comes before everything else on the machine')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='serve-siege-') as name:
        folder = pathlib.Path(name)
        repository = make_repository(options.build, folder)
        with open(folder / 'server.log', 'w') as log:
            server = measure.Server(options.build, repository, log, ['--drain-seconds', str(DRAIN_SECONDS), '--max-work', str(10**18), '--max-memory', str(MAX_MEMORY)])
            if options.ahead:
                for thread in pathlib.Path(f'/proc/{server.process.pid}/task').iterdir():
                    os.setpriority(os.PRIO_PROCESS, int(thread.name), -10)
            results, took = besiege(server.ports, options.seconds, options.ahead)
            is_alive = server.process.poll() is None
            memory = most_memory(server.process.pid) if is_alive else 0
            end = seconds_to_end(server) if is_alive else 0
        lost = [each for result in results for each in result[2]]
        print(f'{sum(r[0] for r in results)} requests answered, {sum(r[1] for r in results)} told to come again, {len(lost)} lost')
        print(f'health and metrics: {len(took)} times, median {1e3 * took[len(took) // 2]:.1f} ms, '
              f'99th percentile {1e3 * took[len(took) * 99 // 100]:.1f} ms, longest {1e3 * took[-1]:.1f} ms')
        print(f'most memory {memory // 1024} MiB; ended {end:.1f} s after SIGTERM, --drain-seconds {DRAIN_SECONDS}')
        if lost:
            print('for example', lost[0])
        if not is_alive:
            print((folder / 'server.log').read_text()[-2000:])
        sys.exit(0 if is_alive and not lost and memory < MOST_MEMORY and end < DRAIN_SECONDS + 1 else 1)


if __name__ == '__main__':
    main()
