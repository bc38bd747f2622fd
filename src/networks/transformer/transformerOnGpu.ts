import type { Recording } from '../types.ts';
import type { Layout } from '../layout.ts';
import { rowsPerChunk } from './chunk.ts';
import type { TransformerShape } from './shape.ts';
import { TokenBuffers } from './tokenBuffers.ts';

/** The transformer goes over a batch in chunks: tokenList.ts records one. */
export const transformerOnGpu: Recording<TransformerShape, Layout> = {
  chunks: ({ shape, layout }, gpu, { S, B, T }) =>
    new TokenBuffers(gpu, shape, layout, { S, B, T, R: rowsPerChunk(shape) }),
};
