// Requests: a picture as the model's first input, or JSON.
let picture = null;  // an ImageBitmap

const chosen = () => known.get(at('model').value + '/' + (at('version').value || newestOf(at('model').value)));
const newestOf = name => [...known.keys()].filter(n => n.startsWith(name + '/')).map(n => n.split('/')[1])
  .sort((a, b) => Number(b) - Number(a))[0];
const whole = shape => shape.map(d => d < 0 ? 1 : d);
const count = shape => shape.reduce((a, b) => a * b, 1);
const zero = type => type === 'BOOL' ? false : 0;

function propose() {
  const m = chosen();
  if (!m) return;
  const inputs = m.inputs.map(t => {
    const shape = whole(t.shape), n = count(shape);
    return {name: t.name, datatype: t.datatype, shape, data: n > 4096 ? [] : Array(n).fill(zero(t.datatype))};
  });
  at('request').value = JSON.stringify({inputs});
  at('signature').textContent = m.inputs.map(t => 'in: ' + tensorText(t)).concat(m.outputs.map(t => 'out: ' + tensorText(t))).join('\n');
  at('json').open = !layoutOf(m.inputs[0]);
  takeStated(m.pictures);
}

// Pictures are prepared as the model's file says: {mean, scale, color, resize}; null: it says nothing.
function takeStated(pictures) {
  at('prepared').textContent = pictures ? 'Pictures are prepared as the model states:' : '';
  if (!pictures) return;
  for (const id of ['mean', 'scale']) at(id).value = pictures[id].map(x => Number(x.toPrecision(6))).join(', ');
  at('color').value = pictures.color === 'bgr' ? 'bgr' : 'rgb';
  at('resize').value = pictures.resize;
}

// One number, or one per channel, of a field.
function perChannel(id, channels) {
  const values = at(id).value.split(',').map(Number);
  if (values.some(Number.isNaN) || ![1, channels].includes(values.length))
    throw new Error(`${id}: expected a number, or ${channels} with commas between them`);
  return c => values[values.length === 1 ? 0 : c];
}

// Where the picture lies in an input of this size.
function placeOf(width, height) {
  const fit = at('resize').value, x = width / picture.width, y = height / picture.height;
  const factor = fit === 'crop' ? Math.max(x, y) : Math.min(x, y);
  const [w, h] = fit === 'stretch' ? [width, height] : [picture.width * factor, picture.height * factor];
  return {x: (width - w) / 2, y: (height - h) / 2, width: w, height: h};
}

// Where the sides and channels of an input [N, C, H, W] or [N, H, W, C] are; null: it is no picture.
function layoutOf(t) {
  const shape = whole(t.shape), isChannels = n => n === 1 || n === 3 || n === 4;
  if (shape.length !== 4) return null;
  if (isChannels(shape[1])) return {shape, channels: shape[1], height: shape[2], width: shape[3], isPlanar: true};
  return isChannels(shape[3]) ? {shape, channels: shape[3], height: shape[1], width: shape[2], isPlanar: false} : null;
}

const arrays = {FP32: Float32Array, FP64: Float64Array, UINT8: Uint8Array, INT8: Int8Array, INT16: Int16Array, UINT16: Uint16Array,
  INT32: Int32Array};

// The picture at the input's size; elements are (pixel - mean) * scale, integers pixel - mean.
function pictureData(t, layout) {
  const {channels, height, width, isPlanar} = layout, area = width * height;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  context.fillStyle = 'rgb(114, 114, 114)';
  context.fillRect(0, 0, width, height);
  const place = placeOf(width, height);
  context.drawImage(picture, place.x, place.y, place.width, place.height);
  const pixels = context.getImageData(0, 0, width, height).data;
  const isFloat = t.datatype.startsWith('FP'), data = new arrays[t.datatype](area * channels);
  const mean = perChannel('mean', channels), scale = isFloat ? perChannel('scale', channels) : () => 1;
  const isBgr = at('color').value === 'bgr';
  for (let p = 0; p < area; ++p) {
    for (let c = 0; c < channels; ++c) {
      const gray = (pixels[4 * p] * 77 + pixels[4 * p + 1] * 150 + pixels[4 * p + 2] * 29) >> 8;
      const value = ((channels === 1 ? gray : pixels[4 * p + (isBgr && c < 3 ? 2 - c : c)]) - mean(c)) * scale(c);
      data[isPlanar ? c * area + p : p * channels + c] = isFloat ? value : Math.round(value);
    }
  }
  return data;
}

// A request with the picture as binary tensor: {body, headers}.
function pictureRequest() {
  const t = chosen().inputs[0], layout = layoutOf(t);
  if (!layout || !arrays[t.datatype]) throw new Error('the first input is no picture: ' + tensorText(t));
  const data = pictureData(t, layout);
  const head = JSON.stringify({inputs: [{name: t.name, datatype: t.datatype, shape: layout.shape,
    parameters: {binary_data_size: data.byteLength}}]});
  return {body: new Blob([head, data]), headers: {'Inference-Header-Content-Length': String(new Blob([head]).size),
    'Content-Type': 'application/octet-stream'}};
}

function drawPicture() {
  const canvas = at('preview'), factor = Math.min(1, 480 / picture.width, 480 / picture.height);
  canvas.width = Math.round(picture.width * factor);
  canvas.height = Math.round(picture.height * factor);
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
}

async function takePicture(file) {
  at('message').textContent = '';
  try {
    picture = file ? await createImageBitmap(file) : null;
  } catch {
    picture = null;
    at('message').textContent = file.name + ': the browser reads no picture from it';
  }
  at('preview').hidden = at('forget').hidden = !picture;
  at('best').replaceChildren();
  if (picture) drawPicture();
}
