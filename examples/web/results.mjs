// What outputs say: the classes that score highest, or boxes.

const realsOf = (tensor) => {
  const { data, scale, zeroPoint } = tensor;
  return Float32Array.from(data, scale === 0 ? Number : (q) => scale * (q - zeroPoint));
};

// The classes of an output [1, classes], best first; labels may be missing.
export const bestClasses = (tensor, labels = [], count = 5) => {
  const scores = realsOf(tensor);
  const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, count);
  return order.map((i) => ({ label: labels[i] ?? String(i), score: scores[i] }));
};

const areaOf = ({ x0, y0, x1, y1 }) => Math.max(0, x1 - x0) * Math.max(0, y1 - y0);

const overlapOf = (a, b) => {
  const common = areaOf({ x0: Math.max(a.x0, b.x0), y0: Math.max(a.y0, b.y0), x1: Math.min(a.x1, b.x1), y1: Math.min(a.y1, b.y1) });
  return common / (areaOf(a) + areaOf(b) - common);
};

// Greedy non-maximum suppression.
const suppress = (boxes, mostOverlap) => {
  const kept = [];
  for (const box of boxes.sort((a, b) => b.score - a.score)) {
    if (kept.every((other) => overlapOf(box, other) <= mostOverlap)) kept.push(box);
  }
  return kept;
};

// Boxes of a detector with outputs [1, n, 4], corners as parts of the picture's sides, and [1, n, classes], of which class 0 is the
// background; null: the outputs are not these.
export const foundBoxes = (outputs, { leastScore = 0.7, mostOverlap = 0.3 } = {}) => {
  const corners = outputs.find(({ shape }) => shape.length === 3 && shape[2] === 4);
  const scores = outputs.find((output) => output !== corners && output.shape.length === 3);
  if (!corners || !scores || corners.shape[1] !== scores.shape[1]) return null;
  const classes = scores.shape[2];
  const at = realsOf(corners);
  const probabilities = realsOf(scores);
  const boxes = [];
  for (let i = 0; i < corners.shape[1]; ++i) {
    for (let c = 1; c < classes; ++c) {
      const score = probabilities[i * classes + c];
      if (score < leastScore) continue;
      const [x0, y0, x1, y1] = at.subarray(4 * i, 4 * i + 4);
      boxes.push({ x0, y0, x1, y1, score, class: c });
    }
  }
  return suppress(boxes, mostOverlap);
};

// Any other output, in short.
export const summaryOf = (tensor) => {
  const reals = realsOf(tensor);
  let least = Infinity, most = -Infinity;
  for (const x of reals) [least, most] = [Math.min(least, x), Math.max(most, x)];
  return `${tensor.name} ${tensor.dtype} ${tensor.shape.join('x')}: ${least.toPrecision(4)} to ${most.toPrecision(4)}`;
};
