#!/usr/bin/env python3
"""fleet.py SERVER HAPROXY_CFG OLD NEW: two hosts (network namespaces) with micrort-serve behind HAProxy, under load. The first one is
killed, and then replaced by one that has a new version of the model; no request is lost.

OLD and NEW are repositories with model relu, Relu of FP32 [?,4]: version 1, and versions 1 and 2. Exit code 77 where namespaces
cannot be made."""

import http.client
import json
import os
import shutil
import subprocess
import sys
import threading
import time

server, config, old, new = sys.argv[1:5]
tag = f'mrt{os.getpid() % 10000}'
PORT = 8000
BODY = json.dumps({'inputs': [{'name': 'x', 'datatype': 'FP32', 'shape': [1, 4], 'data': [1, -2, 3, -4]}]})


def run(*command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True)


class Host:
    """A network namespace with an address of its own, linked to ours."""

    def __init__(self, i):
        self.name, self.near = f'{tag}n{i}', f'{tag}v{i}'
        net = f'10.{200 + os.getpid() % 50}.{i}'
        self.address = f'{net}.2'
        run('ip', 'netns', 'add', self.name)
        run('ip', 'link', 'add', self.near, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', self.name)
        run('ip', 'address', 'add', f'{net}.1/24', 'dev', self.near)
        run('ip', 'link', 'set', self.near, 'up')
        for command in (('address', 'add', f'{self.address}/24', 'dev', 'eth0'), ('link', 'set', 'eth0', 'up'), ('link', 'set', 'lo', 'up')):
            run('ip', '-n', self.name, *command)
        self.process = None

    def start(self, repository):
        self.process = subprocess.Popen(
            ['ip', 'netns', 'exec', self.name, server, '--model-repository', repository, '--host', self.address, '--http-port', str(PORT),
             '--grpc-port', '0', '--metrics-port', '0', '--rest-api-port', '0'], stderr=subprocess.DEVNULL)
        until(lambda: ask(self.address, PORT, 'GET', '/v2/health/ready')[0] == 200)

    def kill(self):
        run('pkill', '-KILL', '-P', str(self.process.pid), check=False)
        self.process.kill()
        self.process.wait()

    def remove(self):
        if self.process is not None:
            self.kill()
        run('ip', 'link', 'del', self.near, check=False)
        run('ip', 'netns', 'del', self.name, check=False)


def ask(host, port, method, path, body=None):
    connection = http.client.HTTPConnection(host, port, timeout=10)
    connection.request(method, path, body)
    answer = connection.getresponse()
    return answer.status, answer.read()


def until(holds, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        try:
            if holds():
                return
        except OSError:
            pass
        time.sleep(0.05)
    sys.exit('it does not become ready')


class Load(threading.Thread):
    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.ends, self.lost, self.versions = port, False, [], {}

    def run(self):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=30)
        while not self.ends:
            connection.request('POST', '/v2/models/relu/infer', BODY)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                self.lost.append((answer.status, text))
                continue
            version = json.loads(text)['model_version']
            self.versions[version] = self.versions.get(version, 0) + 1


def go(hosts, proxy_port):
    for host in hosts:
        host.start(old)
    environment = dict(os.environ, FRONTEND=f'127.0.0.1:{proxy_port}', SERVER_1=f'{hosts[0].address}:{PORT}', SERVER_2=f'{hosts[1].address}:{PORT}')
    proxy = subprocess.Popen(['haproxy', '-q', '-db', '-f', config], env=environment)
    try:
        until(lambda: ask('127.0.0.1', proxy_port, 'GET', '/v2/health/ready')[0] == 200)
        loads = [Load(proxy_port) for _ in range(2)]
        for load in loads:
            load.start()
        time.sleep(0.5)
        hosts[0].kill()
        time.sleep(1)
        hosts[0].start(new)
        until(lambda: any('2' in load.versions for load in loads))
        for load in loads:
            load.ends = True
        for load in loads:
            load.join(30)
            if load.lost or load.is_alive():
                sys.exit(f'{len(load.lost)} requests were lost, for example {load.lost[:1]}')
        if not all('1' in load.versions for load in loads):
            sys.exit('no load before')
    finally:
        proxy.terminate()
        proxy.wait()


def main():
    if os.geteuid() != 0 or not all(map(shutil.which, ('ip', 'haproxy', 'pkill'))):
        print('no root, ip, pkill or haproxy')
        sys.exit(77)
    hosts = []
    try:
        try:
            for i in range(2):
                hosts.append(Host(i))
        except subprocess.CalledProcessError as error:
            print(error.stderr)
            sys.exit(77)
        go(hosts, 20000 + os.getpid() % 10000)
    finally:
        for host in hosts:
            host.remove()
    print('ok')


main()
