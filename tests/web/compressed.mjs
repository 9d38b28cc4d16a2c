// The bytes of a file as servers compress it.
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

export const compressedBytes = (path) => {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params }).length;
};
