// Networks by several runtimes in turns, alike in Node and in a browser.

const ROUNDS = 21;
const ROUND_MILLISECONDS = 60;
const WARM_MILLISECONDS = 1500; // until V8 has compiled all loops by its second compiler

// The mean time of a run, over at least so long.
const timeOf = async ({ run }, milliseconds) => {
  const start = performance.now();
  let runs = 0, now = start;
  do {
    await run();
    ++runs;
    now = performance.now();
  } while (now - start < milliseconds);
  return (now - start) / runs;
};

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];

const worstDifference = (found, expected) => {
  const names = Object.keys(found);
  const theirs = Object.keys(expected);
  if (names.length !== theirs.length) throw new Error(`${names.length} outputs, of the other one ${theirs.length}`);
  return Math.max(...names.map((name, i) => {
    const other = expected[name] ?? expected[theirs[i]];
    if (found[name].length !== other.length) throw new Error(`${name} has ${found[name].length} elements, of the other one ${other.length}`);
    return found[name].reduce((most, value, at) => Math.max(most, Math.abs(Number(value) - Number(other[at]))), 0);
  }));
};

// files: [{runtime, path, ours}]: what each peer reads, and the same converted for us. Outputs have to be alike to `limit` of their elements' unit.
// Gives {peer: {ratio, low, high, ours, theirs, difference}}, times in milliseconds.
export const measure = async ({ files, limit }, runtimes, read) => {
  const contestants = [];
  for (const { runtime, path, ours } of files) {
    const mine = await runtimes.micrort(await read(ours)), theirs = await runtimes[runtime](await read(path));
    await mine.run();
    await theirs.run();
    const difference = worstDifference(mine.outputs(), theirs.outputs());
    if (!(difference <= limit)) throw new Error(`${path}: outputs of ${runtime} differ by ${difference}`);
    contestants.push({ runtime, mine, theirs, difference, ratios: [], times: [Infinity, Infinity] });
  }
  for (const { mine, theirs } of contestants) {
    await timeOf(mine, WARM_MILLISECONDS);
    await timeOf(theirs, WARM_MILLISECONDS);
  }
  for (let round = 0; round < ROUNDS; ++round) {
    for (const one of contestants) {
      const order = round % 2 === 0 ? [one.mine, one.theirs] : [one.theirs, one.mine];
      const times = [await timeOf(order[0], ROUND_MILLISECONDS), await timeOf(order[1], ROUND_MILLISECONDS)];
      const [mine, theirs] = round % 2 === 0 ? times : times.reverse();
      one.ratios.push(mine / theirs);
      one.times = [Math.min(one.times[0], mine), Math.min(one.times[1], theirs)];
    }
  }
  return Object.fromEntries(contestants.map(({ runtime, ratios, times, difference }) => {
    ratios.sort((a, b) => a - b);
    const [low, ratio, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q));
    return [runtime, { ratio, low, high, ours: times[0], theirs: times[1], difference }];
  }));
};
