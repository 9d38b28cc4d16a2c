#!/usr/bin/env python3
"""soak.py BUILD [--requests N] [--loads N]: does micrort-serve lose requests, or grow?

N requests (a million) beside broken ones (tests/serve/faults.py), then N loads and unloads of a model (a thousand) under load of another.
Prints the server's resident memory on the way. Exit code 1 if a request was lost or answered wrongly, or if memory grew by more than
a tenth after its first tenth."""

import argparse
import http.client
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import measure
import models

FAULTS = pathlib.Path(__file__).parents[2] / 'tests/serve/faults.py'
BODY = b'{"inputs":[{"name":"x","datatype":"FP32","shape":[1,4],"data":[1,-2,3,-4]}]}'


class Memory(threading.Thread):
    """Samples the resident memory of a process, in KiB."""

    def __init__(self, pid, seconds):
        super().__init__(daemon=True)
        self.pid, self.seconds, self.samples = pid, seconds, []
        self.start()

    def now(self):
        with open(f'/proc/{self.pid}/status') as status:
            return next(int(line.split()[1]) for line in status if line.startswith('VmRSS'))

    def run(self):
        while True:
            try:
                self.samples.append(self.now())
            except OSError:
                return
            time.sleep(self.seconds)

    def growth(self):
        """Of the last samples over those after the first tenth."""
        return max(self.samples[-3:]) / self.samples[len(self.samples) // 10] - 1


def faulty(server, requests):
    subprocess.run([sys.executable, FAULTS, str(server.ports['http']), 'empty', str(requests)], check=True)


def change(connection, model, verb):
    connection.request('POST', f'/v2/repository/models/{model}/{verb}', b'{}')
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        sys.exit(f'{verb}: {answer.status}')


def load_and_unload(server, loads):
    ends, counted, lost = threading.Event(), [0], []

    def keeper():
        connection = http.client.HTTPConnection('127.0.0.1', server.ports['http'], timeout=60)
        while not ends.is_set():
            connection.request('POST', '/v2/models/empty/infer', BODY)
            answer = connection.getresponse()
            text = answer.read()
            counted[0] += 1
            if answer.status != 200 or b'"data":[1,0,3,0]' not in text:
                lost.append((answer.status, text))

    thread = threading.Thread(target=keeper)
    thread.start()
    connection = http.client.HTTPConnection('127.0.0.1', server.ports['http'], timeout=60)
    for _ in range(loads):
        change(connection, 'other', 'load')
        change(connection, 'empty', 'load')  # anew, under its load
        change(connection, 'other', 'unload')
    ends.set()
    thread.join()
    print(f'{loads} loads and unloads beside {counted[0]} requests, {len(lost)} lost')
    if lost:
        sys.exit(f'for example {lost[0]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--requests', type=int, default=1_000_000)
    parser.add_argument('--loads', type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='serve-soak-') as name:
        folder = pathlib.Path(name)
        models.write_empty(folder / 'empty.onnx')
        for model in ('empty', 'other'):
            measure.convert(options.build, folder / 'empty.onnx', folder / 'repository', model, '')
        with open(folder / 'server.log', 'w') as log:
            server = measure.Server(options.build, folder / 'repository', log,
                                    ['--model-control-mode', 'explicit', '--load-model', 'empty'])
            grown = False
            for what, step in ((f'{options.requests} requests and broken ones', lambda: faulty(server, options.requests)),
                               ('loads and unloads', lambda: load_and_unload(server, options.loads))):
                memory, begin = Memory(server.process.pid, 0.05), time.time()
                step()
                print(f'{what}: {time.time() - begin:.0f} s, resident {memory.samples[0]} KiB at first, {memory.now()} at last, '
                      f'{memory.growth():+.1%} after the first tenth', flush=True)
                grown |= memory.growth() > 0.1
            server.stop()
        sys.exit(1 if grown else 0)


if __name__ == '__main__':
    main()
