import type { Input } from '../../reward/learned/net.ts';

/**
 * What a critic reads of an observation: its bits that are 1; of words (one token a byte) which words there are, and which
 * stand side by side, each as one of as many features as there are bits.
 */
export function inputOf(obs: Uint32Array, isWords: boolean): Input {
  const found: number[] = [];
  if (isWords) {
    const features = 32 * obs.length;
    const all = new Set<number>();
    let before = 0;
    for (let k = 0; k < 4 * obs.length; k++) {
      const token = (obs[k >>> 2]! >>> (8 * (k & 3))) & 255;
      if (token === 0) continue;
      all.add(token % features);
      all.add((Math.imul(257 * before + token, 0x9e3779b1) >>> 8) % features);
      before = token;
    }
    found.push(...[...all].sort((a, b) => a - b));
  } else
    for (let w = 0; w < obs.length; w++)
      for (let rest = obs[w]!; rest !== 0; rest = (rest & (rest - 1)) >>> 0)
        found.push(32 * w + 31 - Math.clz32(rest & -rest));
  return { index: Int32Array.from(found), value: null, n: found.length };
}
