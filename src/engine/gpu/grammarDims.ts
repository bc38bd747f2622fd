import type { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';

/** The tree of units as kernels are told of it. */
export function grammarDims(b: TokenBuffers): Record<string, number> {
  const { grammar } = b.shape;
  return { J: grammar.prefixes.length, masked: grammar.masked ? 1 : 0, decisions: grammar.decisions };
}
