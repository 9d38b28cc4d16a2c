// Answers: the five best classes, or boxes in the picture.
let labels = [];

const labelOf = i => labels[i] ?? 'class ' + i;
const isUnit = scores => scores.every(x => x >= 0 && x <= 1.0001);

// The classes of an output whose only dimension above 1 is theirs, best first; null: there is no such output.
function bestClasses(outputs) {
  const output = outputs.find(o => o.data.length > 1 && o.data.length === o.shape.at(-1) && typeof o.data[0] === 'number');
  if (!output) return null;
  const sum = output.data.reduce((a, b) => a + b, 0), isShare = isUnit(output.data) && Math.abs(sum - 1) < 0.05;
  const most = Math.max(...output.data), weights = output.data.map(x => Math.exp(x - most)), all = weights.reduce((a, b) => a + b, 0);
  return [...output.data.keys()].sort((a, b) => output.data[b] - output.data[a]).slice(0, 5).map(i => ({
    label: labelOf(i), share: isShare ? output.data[i] : weights[i] / all,
    score: isShare ? (100 * output.data[i]).toFixed(1) + ' %' : String(round(output.data[i]))}));
}

const areaOf = b => Math.max(0, b.x1 - b.x0) * Math.max(0, b.y1 - b.y0);

function overlapOf(a, b) {
  const common = areaOf({x0: Math.max(a.x0, b.x0), y0: Math.max(a.y0, b.y0), x1: Math.min(a.x1, b.x1), y1: Math.min(a.y1, b.y1)});
  return common / (areaOf(a) + areaOf(b) - common);
}

// Greedy non-maximum suppression.
function suppress(boxes) {
  const kept = [];
  for (const box of boxes.sort((a, b) => b.score - a.score))
    if (kept.every(other => other.index !== box.index || overlapOf(box, other) <= 0.4)) kept.push(box);
  return kept.slice(0, 100);
}

// [1, n, 4] and [1, n, classes]: corners as parts of the sides; class 0 is the background where there are several.
function boxesOfScores(corners, scores, least) {
  const classes = scores.shape[2], boxes = [];
  for (let i = 0; i < corners.shape[1]; ++i) {
    for (let c = classes > 1 ? 1 : 0; c < classes; ++c) {
      const score = scores.data[i * classes + c];
      if (score < least) continue;
      const [x0, y0, x1, y1] = corners.data.slice(4 * i, 4 * i + 4);
      boxes.push({x0, y0, x1, y1, score, index: c});
    }
  }
  return suppress(boxes);
}

// Outputs of TensorFlow's detection post-processing: [1, n, 4] with y first, classes and scores [1, n].
function boxesOfPostprocess(corners, lists, least) {
  const scores = lists.find(o => isUnit(o.data) && o.data.some(x => x % 1)), classes = lists.find(o => o !== scores);
  if (!scores || !classes) return null;
  const boxes = [];
  scores.data.forEach((score, i) => {
    const [y0, x0, y1, x1] = corners.data.slice(4 * i, 4 * i + 4);
    if (score >= least) boxes.push({x0, y0, x1, y1, score, index: Math.round(classes.data[i])});
  });
  return boxes;
}

// null: the outputs are not those of a detector that is known here.
function foundBoxes(outputs) {
  const least = Number(at('least').value);
  const corners = outputs.find(o => o.shape.length === 3 && o.shape[2] === 4);
  if (!corners) return null;
  const n = corners.shape[1], scores = outputs.find(o => o !== corners && o.shape.length === 3 && o.shape[1] === n);
  if (scores) return boxesOfScores(corners, scores, least);
  return boxesOfPostprocess(corners, outputs.filter(o => o.shape.length === 2 && o.shape[1] === n), least);
}

// Corners as parts of the input's sides become parts of the picture's.
function inPicture(box) {
  const layout = layoutOf(chosen().inputs[0]);
  if (!layout) return box;
  const place = placeOf(layout.width, layout.height);
  const x = u => (u * layout.width - place.x) / place.width, y = v => (v * layout.height - place.y) / place.height;
  return {...box, x0: x(box.x0), x1: x(box.x1), y0: y(box.y0), y1: y(box.y1)};
}

const colors = ['#ff5252', '#40c4ff', '#ffd740', '#69f0ae', '#e040fb', '#ff9e40'];

function drawBoxes(boxes) {
  drawPicture();
  const canvas = at('preview'), context = canvas.getContext('2d');
  context.font = '600 12px system-ui, sans-serif';
  context.lineWidth = 2;
  for (const found of boxes) {
    const box = inPicture(found);
    const x = box.x0 * canvas.width, y = box.y0 * canvas.height, text = `${labelOf(box.index)} ${(100 * box.score).toFixed(0)} %`;
    context.strokeStyle = context.fillStyle = colors[box.index % colors.length];
    context.strokeRect(x, y, (box.x1 - box.x0) * canvas.width, (box.y1 - box.y0) * canvas.height);
    const top = Math.max(0, y - 16), width = context.measureText(text).width + 8;
    // Texts of many small boxes would hide what is in them.
    if (boxes.length > 8 && width > (box.x1 - box.x0) * canvas.width) continue;
    context.fillRect(x, top, width, 16);
    context.fillStyle = '#000';
    context.fillText(text, x + 4, top + 12);
  }
}

function showBest(rows) {
  at('best').replaceChildren(...rows.map(row => {
    const bar = element('span.bar');
    bar.style.width = 100 * row.share + '%';
    return element('li', '', bar, element('span.label', row.label), element('span.score', row.score));
  }));
}

function showAnswer(answer) {
  at('answer').textContent = answer.outputs.map(o => tensorText(o) + '\n' + o.data.slice(0, 100).join(', ') +
    (o.data.length > 100 ? ', …' : '')).join('\n\n');
  const boxes = foundBoxes(answer.outputs);
  const rows = boxes ? boxes.slice(0, 5).map(b => ({label: labelOf(b.index), share: b.score, score: (100 * b.score).toFixed(1) + ' %'})) :
    bestClasses(answer.outputs);
  at('values').open = !rows;
  if (picture && boxes) drawBoxes(boxes);
  if (boxes) at('time').textContent += `, ${boxes.length} boxes`;
  showBest(rows || []);
}
