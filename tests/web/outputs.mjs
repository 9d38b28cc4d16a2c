// A run's outputs as lists of numbers, of inputs that are always the same. In Node and in pages.
export const outputsOf = (model, options = {}) => {
  const interpreter = model.createInterpreter(options);
  interpreter.inputs.forEach(({ data, dtype }) => {
    for (let i = 0; i < data.length; ++i) data[i] = dtype.startsWith('float') ? ((i * 29) % 101) / 50 - 1 : (i * 37) % 101;
  });
  interpreter.run();
  const outputs = interpreter.outputs.map(({ data }) => Array.from(data, Number));
  interpreter.delete();
  return outputs;
};
