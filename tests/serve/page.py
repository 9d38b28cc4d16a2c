#!/usr/bin/env python3
"""page.py URL PICTURE REPOSITORY [SCREENSHOTS]: the server's page in headless Chromium, by Debian's chromedriver, as somebody uses it. Models:
relu (FP32 [?,4]), picture (FP32 [1,1,32,24]) and broken, which does not load. Exit code 77 where there is no chromedriver."""

import base64
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

url, picture, repository = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
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

    # Also of what is folded.
    def text(self, element):
        return self.run('return document.getElementById(arguments[0]).textContent', element)

    def find(self, element):
        return next(iter(self.call('POST', '/element', {'using': 'css selector', 'value': '#' + element}).values()))

    def click(self, element):
        self.call('POST', f'/element/{self.find(element)}/click', {})

    def type(self, element, text):
        self.call('POST', f'/element/{self.find(element)}/value', {'text': text})

    def resize(self, width):
        self.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setDeviceMetricsOverride', 'params': {
            'width': width, 'height': 1600, 'deviceScaleFactor': 1, 'mobile': width < 500}})

    # Also into the folder for screenshots, if there is one.
    def look(self, name, width):
        self.resize(width)
        time.sleep(0.2)
        assert self.run('return document.documentElement.scrollWidth') <= width, f'{name} is wider than {width} pixels'
        if len(sys.argv) > 4:
            picture = base64.b64decode(self.call('GET', '/screenshot'))
            pathlib.Path(sys.argv[4], f'{name}-{width}.png').write_bytes(picture)

    def close(self):
        self.call('DELETE', '')
        self.driver.terminate()


def choose(browser, model):
    browser.run('const s = document.getElementById("model"); s.value = arguments[0]; s.onchange()', model)


def send(browser, expected):
    browser.click('send')
    browser.until(lambda: expected in browser.text('answer'))


def write(browser, body):
    browser.run('document.getElementById("json").open = true; document.getElementById("request").value = arguments[0]', body)


RELU = json.dumps({'inputs': [{'name': 'x', 'datatype': 'FP32', 'shape': [1, 4], 'data': [1, -2, 3, -4]}]})


# What is proposed can be sent; what is changed is what is sent.
def send_json(browser):
    choose(browser, 'relu')
    assert 'in: x FP32 [-1, 4]' in browser.text('signature'), browser.text('signature')
    send(browser, '0, 0, 0, 0')
    write(browser, RELU)
    send(browser, '1, 0, 3, 0')
    assert browser.text('time').endswith(' ms, version 1'), browser.text('time')
    write(browser, '{')
    send(browser, 'error: the body is no JSON: byte 2')


# A picture is shown, and what the model finds in it by labels.
def send_picture(browser):
    choose(browser, 'picture')
    assert browser.run('return document.getElementById("preview").hidden')
    # The model's file says how.
    assert browser.run('return ["mean", "scale", "color", "resize"].map(id => document.getElementById(id).value)') == [
        '0', '0.0039', 'rgb', 'crop']
    assert 'as the model states' in browser.text('prepared')
    browser.type('picture', picture)
    browser.until(lambda: not browser.run('return document.getElementById("preview").hidden'))
    browser.run('labels = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]')
    browser.click('send')
    best = browser.until(lambda: browser.run('return [...document.querySelectorAll("#best li")].map(l => l.innerText)'))
    assert len(best) == 5 and best[0].split()[0] == 'three' and best[0].endswith(' %'), best
    assert 'output FP32 [1, 10]' in browser.text('answer')
    browser.look('picture', 1280)
    browser.look('picture', 390)
    browser.click('forget')
    browser.until(lambda: browser.run('return document.getElementById("preview").hidden'))


# The two kinds of detectors, by what they answer.
def find_boxes(browser):
    found = browser.run('''
      const corners = {shape: [1, 3, 4], data: [.1, .1, .5, .5, .11, .1, .5, .5, .6, .6, .9, .9]};
      const scores = {shape: [1, 3, 2], data: [.1, .9, .2, .8, .9, .1]};
      const lists = [{shape: [1, 3], data: [.9, .75, .1]}, {shape: [1, 3], data: [7, 3, 0]}, {shape: [1], data: [3]}];
      return [foundBoxes([scores, corners]), foundBoxes([corners, ...lists]), foundBoxes([scores])]''')
    assert [(b['x0'], b['index']) for b in found[0]] == [(0.1, 1)], found
    assert [(b['x0'], b['y0'], b['index']) for b in found[1]] == [(0.1, 0.1, 7), (0.1, 0.11, 3)], found
    assert found[2] is None, found


def card(browser, model):
    return browser.run('const c = cards.get(arguments[0]); return c ? c.card.innerText : ""', model)


# Figures of the last seconds, memory, and a model that does not load.
def watch_load(browser):
    choose(browser, 'relu')
    write(browser, RELU)
    for _ in range(5):
        browser.click('send')
    browser.until(lambda: browser.run('return histories.get("relu").points.some(p => p.rate > 0 && p.latency > 0)'))
    assert ' kB' in card(browser, 'relu') and 'v1' in card(browser, 'relu'), card(browser, 'relu')
    assert browser.run('return document.querySelectorAll("article.ready svg path.first").length') == 4
    browser.until(lambda: 'broken/1/model.fb' in card(browser, 'broken'))
    assert '2 versions of 2 models are loaded, 1 not' in browser.text('state'), browser.text('state')


# A new version is loaded by its button; the page says so and marks it in the charts.
def switch_version(browser):
    shutil.copytree(repository / 'relu/1', repository / 'relu/2')
    browser.run('cards.get("relu").card.querySelector("button").click()')
    browser.until(lambda: 'relu: version 1 → 2' in browser.text('events'))
    assert browser.run('return cards.get("relu").card.querySelectorAll("svg path.switch").length') == 2
    browser.run('cards.get("relu").card.querySelectorAll("button")[1].click()')
    browser.until(lambda: 'relu: unloaded' in browser.text('events'))


def use(browser):
    browser.call('POST', '/url', {'url': url})
    browser.until(lambda: '2 versions of 2 models' in browser.text('state'))
    send_json(browser)
    find_boxes(browser)
    send_picture(browser)
    watch_load(browser)
    switch_version(browser)


chromium = Browser()
try:
    use(chromium)
finally:
    chromium.close()
print('ok')
