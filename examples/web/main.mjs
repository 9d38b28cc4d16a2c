// The page: a model and a picture by drag and drop or file chooser, or the camera; what the model says, how long it took, and its memory.
// ?model=URL&picture=URL&mean=127&scale=0.0078125 opens it with these; threads=2 asks for as many.

import { Model, init } from 'micrort';

import { pictureLayout, writePicture } from './picture_input.mjs';
import { bestClasses, foundBoxes, summaryOf } from './results.mjs';

const element = (id) => document.getElementById(id);
const canvas = element('picture');
const scaled = document.createElement('canvas');
let model = null, interpreter = null, labels = [], times = [];
let source = null; // what is drawn: a picture or the camera's video

const show = (id, text) => { element(id).textContent = text; };

const closeModel = () => {
  interpreter?.delete();
  model?.delete();
  interpreter = model = null;
};

const openModel = async (name, bytes) => {
  closeModel();
  model = await Model.fromBuffer(bytes);
  interpreter = model.createInterpreter();
  times = [];
  if (!pictureLayout(interpreter.inputs[0].shape)) throw new Error(`${name}: its first input is ${interpreter.inputs[0].shape.join('x')}, no picture`);
  show('model-name', name);
  show('arena', `${Math.round(interpreter.arenaBytes / 1024)} KB`);
};

// The picture at the size that the model takes.
const pixelsFor = ({ width, height }) => {
  [scaled.width, scaled.height] = [width, height];
  const context = scaled.getContext('2d', { willReadFrequently: true });
  context.drawImage(source, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
};

const drawBoxes = (boxes) => {
  const context = canvas.getContext('2d');
  context.lineWidth = 3;
  context.strokeStyle = '#0a7d38';
  for (const { x0, y0, x1, y1 } of boxes)
    context.strokeRect(x0 * canvas.width, y0 * canvas.height, (x1 - x0) * canvas.width, (y1 - y0) * canvas.height);
};

const linesFor = (outputs) => {
  const boxes = foundBoxes(outputs);
  if (boxes) {
    drawBoxes(boxes);
    return [`${boxes.length} found`, ...boxes.map(({ score, class: c }) => `${labels[c] ?? c}  ${score.toFixed(3)}`)];
  }
  const isVector = outputs.length === 1 && outputs[0].shape.reduce((a, b) => a * b, 1) === outputs[0].shape.at(-1);
  if (!isVector) return outputs.map(summaryOf);
  return bestClasses(outputs[0], labels).map(({ label, score }) => `${label}  ${score.toFixed(3)}`);
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const runOnce = () => {
  if (!interpreter || !source) return;
  const input = interpreter.inputs[0];
  canvas.getContext('2d').drawImage(source, 0, 0, canvas.width, canvas.height);
  const numbers = { mean: Number(element('mean').value), scale: Number(element('scale').value) };
  writePicture(pixelsFor(pictureLayout(input.shape)), input, numbers);
  const start = performance.now();
  interpreter.run();
  times = [...times.slice(-19), performance.now() - start];
  show('latency', `${median(times).toFixed(1)} ms`);
  element('results').replaceChildren(...linesFor(interpreter.outputs).map((line) => {
    const item = document.createElement('li');
    item.textContent = line;
    return item;
  }));
};

const openPicture = async (blob) => {
  source = await createImageBitmap(blob);
  [canvas.width, canvas.height] = [source.width, source.height];
};

// What was dropped or chosen: a model by its name, text as labels, anything else as a picture.
const open = async (name, blob) => {
  if (name.endsWith('.fb')) return openModel(name, await blob.arrayBuffer());
  if (name.endsWith('.txt')) labels = (await blob.text()).trimEnd().split('\n');
  else await openPicture(blob);
};

const guarded = (action) => async (...values) => {
  show('message', '');
  try {
    await action(...values);
    runOnce();
  } catch (error) {
    show('message', error.message);
  }
};

const openAll = guarded(async (files) => {
  for (const file of files) await open(file.name, file);
});

const startCamera = guarded(async () => {
  const video = document.createElement('video');
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
  await video.play();
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  source = video;
  const next = () => {
    if (source !== video) return video.srcObject.getTracks().forEach((track) => track.stop());
    guarded(() => {})();
    requestAnimationFrame(next);
  };
  next();
});

const fetched = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return answer.blob();
};

const openAddress = guarded(async () => {
  const asked = new URLSearchParams(location.search);
  await init(undefined, { threads: Number(asked.get('threads') ?? 1) });
  for (const name of ['mean', 'scale']) if (asked.has(name)) element(name).value = asked.get(name);
  for (const name of ['labels', 'model', 'picture']) if (asked.has(name)) await open(asked.get(name), await fetched(asked.get(name)));
});

element('files').addEventListener('change', ({ target }) => openAll(target.files));
element('camera').addEventListener('click', startCamera);
for (const name of ['mean', 'scale']) element(name).addEventListener('change', guarded(() => {}));
document.body.addEventListener('dragover', (event) => event.preventDefault());
document.body.addEventListener('drop', (event) => {
  event.preventDefault();
  openAll(event.dataTransfer.files);
});
openAddress();
