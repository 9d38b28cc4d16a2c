// The models: what they do, their memory, their versions.
const known = new Map();      // "name/version": metadata
const histories = new Map();  // name: {points, switches, newest}
const cards = new Map();      // name: {card, state, live}
let failed = [], before = new Map(), beforeTime = 0, ticks = 0;

// Metadata of versions that are new, with how their files prepare pictures; whether there were any, or some have gone.
async function learn(stats) {
  const names = stats.map(s => s.name + '/' + s.version);
  if (names.length === known.size && names.every(n => known.has(n))) return false;
  for (const name of [...known.keys()]) if (!names.includes(name)) known.delete(name);
  for (const s of stats) {
    const name = s.name + '/' + s.version;
    if (known.has(name)) continue;
    const path = `v2/models/${s.name}/versions/${s.version}`;
    const metadata = await ask(path), config = await ask(path + '/config');
    known.set(name, {...metadata, pictures: JSON.parse(config.parameters?.['micrort.pictures']?.string_value ?? 'null')});
  }
  return true;
}

const clock = () => new Date().toLocaleTimeString();

function tell(text) {
  at('events').prepend(element('li', clock() + '  ' + text));
  while (at('events').children.length > 5) at('events').lastChild.remove();
}

// Versions of a model, ascending by their numbers.
function byModel(stats) {
  const models = new Map();
  for (const s of stats) models.set(s.name, [...(models.get(s.name) || []), s]);
  return models;
}

// One point a second: sums over the versions of the model.
function record(name, versions, now) {
  const history = histories.get(name) || {points: [], switches: [], newest: ''};
  histories.set(name, history);
  const newest = versions.at(-1).version;
  if (history.newest && history.newest !== newest) {
    history.switches.push(now);
    tell(`${name}: version ${history.newest} → ${newest}`);
  }
  history.newest = newest;
  const delta = get => versions.reduce((sum, s) => {
    const old = before.get(s.name + '/' + s.version);
    return sum + (old ? get(s) - get(old) : 0);
  }, 0);
  const done = delta(s => s.inference_stats.success.count), runs = delta(s => s.execution_count);
  const mean = part => done > 0 ? delta(s => s.inference_stats[part].ns) / done / 1e6 : 0;
  history.points.push({time: now, rate: beforeTime ? done / (now - beforeTime) : 0, latency: mean('success'), queue: mean('queue'),
    rows: runs > 0 ? delta(s => s.inference_count) / runs : 0});
  history.points = history.points.filter(p => p.time > now - kSpan);
  history.switches = history.switches.filter(time => time > now - kSpan);
  return history;
}

// Loading and unloading need --model-control-mode explicit; the server says so.
function actions(name, verbs) {
  const buttons = verbs.map(verb => {
    const button = element('button', verb === 'load' && verbs.length > 1 ? 'load again' : verb);
    button.onclick = async () => {
      at('message').textContent = '';
      try {
        await ask(`v2/repository/models/${name}/${verb}`, '{}', {'Content-Type': 'application/json'});
        tell(`${name}: ${verb}ed`);
      } catch (error) {
        at('message').textContent = `${name}: ${error.message}`;
      }
      ticks = 0;
    };
    return button;
  });
  return element('div.actions', '', ...buttons);
}

// A card stays, with its buttons, while what it shows changes.
function cardOf(name, state, verbs) {
  let found = cards.get(name);
  if (found && found.state === state) return found;
  if (found) found.card.remove();
  const live = element('div');
  found = {state, live, card: element('article.' + state, '', live, actions(name, verbs))};
  cards.set(name, found);
  at('models').append(found.card);
  return found;
}

const memoryOf = s => (s.memory_usage || []).reduce((sum, m) => sum + m.byte_size, 0);

function showModel(name, versions, now) {
  const history = record(name, versions, now), last = history.points.at(-1);
  const figures = [['requests/s', round(last.rate)], ['latency, ms', round(last.latency)], ['queue, ms', round(last.queue)],
    ['rows a batch', round(last.rows)], ['answered', versions.reduce((n, s) => n + s.inference_stats.success.count, 0)],
    ['failed', versions.reduce((n, s) => n + s.inference_stats.fail.count, 0)]];
  const badges = versions.map(s => {
    const badge = element(s.version === history.newest ? 'span.version.newest' : 'span.version', 'v' + s.version);
    badge.title = bytesText(memoryOf(s));
    return badge;
  });
  cardOf(name, 'ready', ['load', 'unload']).live.replaceChildren(
    element('div.top', '', element('h3', name), ...badges,
      element('span.memory', bytesText(versions.reduce((n, s) => n + memoryOf(s), 0)))),
    element('dl', '', ...figures.map(([term, value]) => element('div', '', element('dt', term), element('dd', value)))),
    chart('requests per second', '/s', history.points, [{name: 'requests/s', get: p => p.rate}], history.switches, now),
    chart('latency', 'ms', history.points,
      [{name: 'latency', get: p => p.latency}, {name: 'queue', get: p => p.queue}], history.switches, now));
}

function showFailed(entry) {
  cardOf(entry.name, 'failed', ['load']).live.replaceChildren(
    element('div.top', '', element('h3', entry.name), element('span.version', entry.state)), element('p.reason', entry.reason));
}

function removeCards(names) {
  for (const [name, {card}] of cards) {
    if (names.has(name)) continue;
    card.remove();
    cards.delete(name);
    histories.delete(name);
  }
}

async function listFailed() {
  try {
    failed = (await ask('v2/repository/index', '')).filter(entry => entry.state !== 'READY');
  } catch {
    failed = [];  // those who may not list the repository
  }
}

async function refresh() {
  try {
    const stats = (await ask('v2/models/stats')).model_stats;
    if (await learn(stats)) offer();
    if (ticks++ % 5 === 0) await listFailed();
    const now = performance.now() / 1000, models = byModel(stats);
    for (const [name, versions] of models) showModel(name, versions, now);
    for (const entry of failed) if (!models.has(entry.name)) showFailed(entry);
    removeCards(new Set([...models.keys(), ...failed.map(entry => entry.name)]));
    before = new Map(stats.map(s => [s.name + '/' + s.version, s]));
    beforeTime = now;
    at('state').textContent = `${stats.length} versions of ${models.size} models are loaded` + (failed.length ? `, ${failed.length} not.` : '.');
    at('totals').textContent = 'memory ' + bytesText(stats.reduce((n, s) => n + memoryOf(s), 0));
  } catch (error) {
    at('state').textContent = 'error: ' + error.message;
  }
}
