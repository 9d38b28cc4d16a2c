// A headless Chromium, and a server of files for it.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const typeOf = (path) => path.endsWith('.html') || path.endsWith('/') ? 'text/html' : /\.m?js$/.test(path) ? 'text/javascript'
  : path.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';

// places: [[prefix of a path, folder]...], the first one that fits counts. Pages may share memory between threads and have exact clocks.
export const serve = async (places) => {
  const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
  const server = createServer(({ url }, answer) => {
    const { pathname } = new URL(url, 'http://host');
    const [prefix, folder] = places.find(([start]) => pathname.startsWith(start)) ?? ['', ''];
    const place = join(folder, decodeURIComponent(pathname.slice(prefix.length)));
    try {
      const body = readFileSync(pathname.endsWith('/') ? join(place, 'index.html') : place);
      answer.writeHead(200, { ...headers, 'Content-Type': typeOf(pathname) }).end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};

// Told what to do by Chromium's DevTools protocol over two pipes: messages are JSON and end with a null byte.
export class Browser {
  #process;
  #answers = new Map();
  #last = 0;

  constructor(program, profile) {
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, '--remote-debugging-pipe'];
    this.#process = spawn(program, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    let text = '';
    this.#process.stdio[4].on('data', (part) => {
      const messages = (text + part).split('\0');
      text = messages.pop();
      for (const message of messages.map((m) => JSON.parse(m))) this.#answers.get(message.id)?.(message.result);
    });
  }

  call(method, params, sessionId) {
    const id = ++this.#last;
    this.#process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  // A page of this address: evaluate() gives the value of an expression, until() waits for one that is true.
  async open(address) {
    const { targetId } = await this.call('Target.createTarget', { url: address });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    const evaluate = async (expression) => {
      const answer = await this.call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId);
      return answer?.result.value; // no answer: the page was replaced meanwhile, as one is that is still loading
    };
    const until = async (expression, seconds = 30) => {
      for (let tries = 0; tries < 10 * seconds; ++tries) {
        const value = await evaluate(expression);
        if (value) return value;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`${address}: no ${expression} within ${seconds} s`);
    };
    return { evaluate, until };
  }

  // Debian's program is a script around the browser, which a signal would leave behind.
  async close() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    await this.call('Browser.close');
    for (const pipe of this.#process.stdio) pipe?.destroy();
    await ended; // it writes its profile until then
  }
}
