// Prints what ONNX Runtime makes of each window of a WAV file: node record_vad.js MODEL.onnx AUDIO.wav
// The model is silero-vad for 16 kHz: windows of 512 samples, 64 samples of context, the state carried over.
// Needs `npm install onnxruntime-node` in the folder that NODE_PATH names.
const fs = require('fs'), ort = require('onnxruntime-node');

// 16-bit mono samples as floats of -1 to 1.
function readSamples(path) {
  const bytes = fs.readFileSync(path);
  let at = 12;
  while (bytes.toString('latin1', at, at + 4) !== 'data') at += 8 + bytes.readUInt32LE(at + 4);
  const count = bytes.readUInt32LE(at + 4) / 2;
  return Float32Array.from({length: count}, (_, i) => bytes.readInt16LE(at + 8 + 2 * i) / 32768);
}

async function main([model, audio]) {
  const session = await ort.InferenceSession.create(model, {intraOpNumThreads: 1});
  const samples = readSamples(audio);
  const padded = new Float32Array(64 + samples.length);
  padded.set(samples, 64);
  const sr = new ort.Tensor('int64', BigInt64Array.of(16000n), []);
  let state = new ort.Tensor('float32', new Float32Array(256), [2, 1, 128]);
  const line = [];
  for (let at = 0; at + 576 <= padded.length; at += 512) {
    const input = new ort.Tensor('float32', padded.slice(at, at + 576), [1, 576]);
    const result = await session.run({input, state, sr});
    state = result.stateN;
    line.push(result.output.data[0].toFixed(6));
    if (line.length === 12) console.log(line.splice(0).join(' '));
  }
  console.log(line.join(' '));
}

main(process.argv.slice(2));
