#!/usr/bin/env python3
"""measure.py BUILD [--seconds S] [--rounds N]: micrort-serve beside the bare library and nginx, in turns.

Prints a table in Markdown: for a network of some 2 ms, answers a second over REST (wrk, 64 connections) and gRPC (64 calls at a time) as
a share of what the bare library computes with as many processes as there are processors, with and without dynamic batching; the 99th
percentile at 70 % of the load; for an empty network, answers a second as a share of nginx's with a file of the same size. Medians and
the smallest and largest of the rounds. The load comes from the same processors: it is a part of what is measured.

Needs Debian's wrk, nginx-light and python3-onnx."""

import argparse
import json
import os
import pathlib
import re
import socket
import statistics
import struct
import subprocess
import tempfile
import time
import urllib.request

import models

HERE = pathlib.Path(__file__).parent


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


class Server:
    """micrort-serve with a repository."""

    def __init__(self, build, repository, log, more=()):
        self.ports = {name: free_port() for name in ('http', 'grpc', 'metrics', 'rest-api')}
        flags = [f'--{name}-port={port}' for name, port in self.ports.items()]
        self.process = subprocess.Popen([build / 'bin/micrort-serve', '--model-repository', repository, *flags, *more], stderr=log, stdout=log)
        for _ in range(200):
            try:
                urllib.request.urlopen(f'http://127.0.0.1:{self.ports["http"]}/v2/health/ready')
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit('micrort-serve does not become ready')

    def stop(self):
        self.process.terminate()
        self.process.wait()


def nginx(folder, text):
    port = free_port()
    (folder / 'static').mkdir()
    (folder / 'static/answer').write_text(text)
    config = folder / 'nginx.conf'
    config.write_text(f'''daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{ access_log off; keepalive_requests 1000000000; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{port}; root {folder}/static; }} }}''')
    return subprocess.Popen(['nginx', '-c', config, '-p', folder], stderr=subprocess.DEVNULL), port


def binary_request(path, shape):
    data = struct.pack('<%df' % elements(shape), *([0.5] * elements(shape)))
    head = json.dumps({'inputs': [{'name': 'x', 'datatype': 'FP32', 'shape': shape, 'parameters': {'binary_data_size': len(data)}}],
                       'outputs': [{'name': 'y', 'parameters': {'binary_data': True}}]}).encode()
    path.write_bytes(head + data)
    return str(len(head))


def elements(shape):
    count = 1
    for dim in shape:
        count *= dim
    return count


def wrk(url, seconds, script=()):
    command = ['wrk', '-t1', '-c64', f'-d{seconds}s']
    if script:
        command += ['-s', HERE / 'infer.lua']
    command += [url]
    if script:
        command += ['--', *script]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if script:
        return json.loads(out.splitlines()[-1])
    return {'rate': float(re.search(r'Requests/sec:\s+([\d.]+)', out)[1]), 'failures': 0}


def grpc_load(build, port, model, shape, seconds, rate=None):
    command = [build / 'bin/grpc_load', str(port), model, 'x', 'x'.join(map(str, shape)), str(seconds), '64']
    if rate:
        command.append(str(rate))
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def bare(build, model, seconds):
    """Inferences a second of as many processes as there are processors, and the median time of one in microseconds."""
    command = [build / 'bin/micrort-bench', model, '--threads', '1', '--min-time', str(seconds), '--json', '-']
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(os.cpu_count())]
    latencies = [json.loads(run.communicate()[0])['latency_ms'] for run in runs]
    return {'rate': sum(1e3 / each['mean'] for each in latencies), 'p50': 1e3 * statistics.median(each['median'] for each in latencies)}


def convert(build, source, repository, name, config):
    folder = repository / name
    (folder / '1').mkdir(parents=True)
    subprocess.run([build / 'bin/mnnconvert', source, '-o', folder / '1/model.fb', '--quiet'], check=True)
    (folder / 'config.pbtxt').write_text(config)
    return folder / '1/model.fb'


def spread(values, digits=2):
    return f'{statistics.median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})'


DELAY = 1000  # microseconds that a batch may wait for more


def make_repository(build, folder, layers):
    repository = folder / 'repository'
    models.write_empty(folder / 'empty.onnx')
    models.write_layers(folder / 'layers.onnx', layers)
    instances = f'instance_group [ {{ count: {os.cpu_count()} }} ]\n'
    convert(build, folder / 'empty.onnx', repository, 'empty', instances)
    model = convert(build, folder / 'layers.onnx', repository, 'layers', instances)
    convert(build, folder / 'layers.onnx', repository, 'batched',
            instances + f'max_batch_size: 8\ndynamic_batching {{ max_queue_delay_microseconds: {DELAY} }}\n')
    return repository, model


def a_round(build, folder, server, model, static, seconds):
    """One of each, after each other."""
    http, grpc = server.ports['http'], server.ports['grpc']
    infer = f'http://127.0.0.1:{http}/v2/models/%s/infer'
    layers = [folder / 'layers.bin', binary_request(folder / 'layers.bin', [1, 4, 16, 16])]
    empty = [folder / 'empty.bin', binary_request(folder / 'empty.bin', [1, 4])]
    found = {'bare': bare(build, model, seconds)}
    found['rest'] = wrk(infer % 'layers', seconds, layers)
    found['rest, batched'] = wrk(infer % 'batched', seconds, layers)
    found['grpc'] = grpc_load(build, grpc, 'layers', [1, 4, 16, 16], seconds)
    found['grpc, batched'] = grpc_load(build, grpc, 'batched', [1, 4, 16, 16], seconds)
    rate = 0.7 * found['bare']['rate']
    found['70 %'] = grpc_load(build, grpc, 'layers', [1, 4, 16, 16], seconds, rate)
    found['70 %, batched'] = grpc_load(build, grpc, 'batched', [1, 4, 16, 16], seconds, rate)
    found['nginx'] = wrk(f'http://127.0.0.1:{static}/answer', seconds)
    found['empty'] = wrk(infer % 'empty', seconds, empty)
    return found


def report(rounds):
    def ratios(name, key, to, to_key, extra=0.0):
        return [r[name][key] / (r[to][to_key] + extra) for r in rounds]

    rows = [(f'{name}: answers of {to}', ratios(name, 'rate', to, 'rate'), goal) for name, to, goal in (
        ('rest', 'bare', '0.90'), ('rest, batched', 'rest', '1.00'), ('grpc', 'bare', '0.90'), ('grpc, batched', 'grpc', '1.00'),
        ('empty', 'nginx', '0.50'))]
    rows += [('p99 at 70 % of the load: of bare latency', ratios('70 %', 'p99', 'bare', 'p50'), '2.00'),
             ('the same, batched: of bare latency and delay', ratios('70 %, batched', 'p99', 'bare', 'p50', DELAY / 2), '2.00')]
    print('| measured | median (smallest–largest) | goal |\n| --- | --- | --- |')
    for name, values, goal in rows:
        print(f'| {name} | {spread(values)} | {goal} |')
    for name in ('bare', 'rest', 'grpc', 'nginx', 'empty'):
        print(f'\n{name}: {spread([r[name]["rate"] for r in rounds], 0)} a second', end='')
    print(f'\nbare latency: {spread([r["bare"]["p50"] for r in rounds], 0)} µs')
    print('failures:', sum(each.get('failures', 0) for r in rounds for each in r.values()))


def measure(options, folder):
    repository, model = make_repository(options.build, folder, options.layers)
    with open(folder / 'server.log', 'w') as log:
        server = Server(options.build, repository, log)
        static, port = nginx(folder, '{"outputs":' + 'x' * 150 + '}')
        try:
            rounds = [a_round(options.build, folder, server, model, port, options.seconds) for _ in range(options.rounds)]
        finally:
            static.terminate()
            server.stop()
    report(rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--seconds', type=int, default=3)
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--layers', type=int, default=4, help='of the network that should take 2 ms')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='serve-bench-') as folder:
        measure(options, pathlib.Path(folder))


if __name__ == '__main__':
    main()
