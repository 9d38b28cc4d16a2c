#!/usr/bin/env python3
"""page.py URL PICTURE: the server's page in headless Chromium, by Debian's chromedriver, as somebody uses it. Models: relu (FP32 [?,4])
and picture (FP32 [1,1,32,24]). Exit code 77 where there is no chromedriver."""

import json
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

url, picture = sys.argv[1], sys.argv[2]
if not shutil.which('chromedriver') or not shutil.which('chromium'):
    print('no chromedriver')
    sys.exit(77)


class Browser:
    """WebDriver (w3.org/TR/webdriver) over HTTP."""

    def __init__(self):
        with socket.socket() as s:
            s.bind(('127.0.0.1', 0))
            self.port = s.getsockname()[1]
        self.driver = subprocess.Popen(['chromedriver', f'--port={self.port}'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        options = {'args': ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--window-size=390,1600']}
        wanted = {'capabilities': {'alwaysMatch': {'goog:chromeOptions': options}}}
        self.session = ''
        self.session = '/session/' + self.until(lambda: self.call('POST', '/session', wanted))['sessionId']

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f'http://127.0.0.1:{self.port}{self.session}{path}', data, method=method,
                                         headers={'Content-Type': 'application/json'})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read())['value']
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read()) from error

    @staticmethod
    def until(function, seconds=30):
        end = time.time() + seconds
        while True:
            try:
                found = function()
                if found:
                    return found
            except (OSError, RuntimeError):
                if time.time() > end:
                    raise
            if time.time() > end:
                raise AssertionError('it does not happen')
            time.sleep(0.1)

    def run(self, script, *arguments):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def text(self, element):
        return self.run('return document.getElementById(arguments[0]).innerText', element)

    def find(self, element):
        return next(iter(self.call('POST', '/element', {'using': 'css selector', 'value': '#' + element}).values()))

    def click(self, element):
        self.call('POST', f'/element/{self.find(element)}/click', {})

    def type(self, element, text):
        self.call('POST', f'/element/{self.find(element)}/value', {'text': text})

    def close(self):
        self.call('DELETE', '')
        self.driver.terminate()


def choose(browser, model):
    browser.run('const s = document.getElementById("model"); s.value = arguments[0]; s.onchange()', model)


def use(browser):
    browser.call('POST', '/url', {'url': url})
    browser.until(lambda: '2 versions of models' in browser.text('state'))
    models = browser.text('models')
    assert 'x FP32 [-1, 4]' in models and 'input FP32 [1, 1, 32, 24]' in models, models

    # What is proposed can be sent; what is changed is what is sent.
    choose(browser, 'relu/1')
    browser.click('send')
    browser.until(lambda: '0, 0, 0, 0' in browser.text('answer'))
    body = json.dumps({'inputs': [{'name': 'x', 'datatype': 'FP32', 'shape': [1, 4], 'data': [1, -2, 3, -4]}]})
    browser.run('document.getElementById("request").value = arguments[0]', body)
    browser.click('send')
    browser.until(lambda: '1, 0, 3, 0' in browser.text('answer'))
    assert browser.text('time').endswith(' ms'), browser.text('time')

    browser.run('document.getElementById("request").value = "{"')
    browser.click('send')
    browser.until(lambda: browser.text('answer').startswith('error: '))

    choose(browser, 'picture/1')
    browser.type('picture', picture)
    browser.click('send')
    answer = browser.until(lambda: 'output FP32 [1, 10]' in browser.text('answer') and browser.text('answer'))
    assert len(answer.splitlines()[1].split(',')) == 10, answer

    # Figures of the last second.
    choose(browser, 'relu/1')
    browser.run('document.getElementById("picture").value = ""; document.getElementById("request").value = arguments[0]', body)
    for _ in range(5):
        browser.click('send')
    browser.until(lambda: browser.run('return [...document.getElementById("load").rows].some(r => r.cells[0].innerText === "relu" '
                                      '&& Number(r.cells[2].innerText) > 0)'))
    if len(sys.argv) > 3:
        import base64
        pathlib.Path(sys.argv[3]).write_bytes(base64.b64decode(browser.call('GET', '/screenshot')))


chromium = Browser()
try:
    use(chromium)
finally:
    chromium.close()
print('ok')
