// Charts of the last two minutes, as SVG.
const kSpan = 120;  // seconds

function svg(tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// points: [{time, ...}], seconds; lines: [{get, name}], at most two; switches: times of new versions.
function chart(title, unit, points, lines, switches, now) {
  const most = Math.max(1e-9, ...points.flatMap(p => lines.map(l => l.get(p))));
  const x = time => (240 * (1 - (now - time) / kSpan)).toFixed(1), y = value => (60 - 56 * value / most).toFixed(1);
  const picture = svg('svg', {viewBox: '0 0 240 60', preserveAspectRatio: 'none', role: 'img',
    'aria-label': `${title}, at most ${round(most)} ${unit}`});
  for (const time of switches) picture.append(svg('path', {class: 'switch', d: `M${x(time)} 0V60`}));
  lines.forEach((line, i) => {
    if (points.length < 2) return;
    const path = points.map((p, j) => (j ? 'L' : 'M') + x(p.time) + ' ' + y(line.get(p))).join('');
    if (i === 0)
      picture.append(svg('path', {class: 'area', d: `${path}L${x(points.at(-1).time)} 60L${x(points[0].time)} 60Z`}));
    picture.append(svg('path', {class: i ? 'second' : 'first', d: path}));
  });
  const caption = element('figcaption', '',
    ...lines.map((line, i) => element(i ? 'span.key.second' : 'span.key', line.name)),
    element('span.most', `up to ${round(most < 1e-8 ? 0 : most)} ${unit}`));
  return element('figure', '', caption, picture);
}
