// Pictures as a network takes them.

// Where the sides and the channels of an input of four dimensions are; null: it is no picture.
export const pictureLayout = (shape) => {
  if (shape.length !== 4) return null;
  const isChannels = (n) => n === 1 || n === 3;
  if (isChannels(shape[1])) return { channels: shape[1], height: shape[2], width: shape[3], isPlanar: true };
  if (isChannels(shape[3])) return { channels: shape[3], height: shape[1], width: shape[2], isPlanar: false };
  return null;
};

// Weights of ITU-R BT.601 for red, green and blue.
const gray = (r, g, b) => 0.299 * r + 0.587 * g + 0.114 * b;

const elementFor = (tensor) => {
  if (tensor.dtype === 'float32') return (real) => real;
  if (tensor.dtype === 'uint8' && tensor.scale === 0) return (real) => real;
  if (tensor.dtype !== 'int8' && tensor.dtype !== 'uint8') throw new Error(`a picture of ${tensor.dtype}; expected float32, int8 or uint8`);
  const [least, most] = tensor.dtype === 'int8' ? [-128, 127] : [0, 255];
  return (real) => Math.min(most, Math.max(least, Math.round(real / tensor.scale) + tensor.zeroPoint));
};

// rgba: bytes of width x height pixels, as ImageData has them, of the size that the input has. Each element
// becomes (pixel - mean) * scale, and is quantized as the input is.
export const writePicture = (rgba, tensor, { mean = 0, scale = 1 } = {}) => {
  const { channels, height, width, isPlanar } = pictureLayout(tensor.shape);
  const data = tensor.data;
  const toElement = elementFor(tensor);
  const pixels = height * width;
  for (let i = 0; i < pixels; ++i) {
    const rgb = [rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]];
    for (let c = 0; c < channels; ++c) {
      const pixel = channels === 1 ? gray(...rgb) : rgb[c];
      data[isPlanar ? c * pixels + i : i * channels + c] = toElement((pixel - mean) * scale);
    }
  }
};
