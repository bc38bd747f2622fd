import { TAG, TAGS } from '../../../../contract/tags.ts';
import { untouched, wholes, type Case } from '../../../conformance.ts';
import { earnedTags } from '../../signalKernels.ts';

type Columns = Readonly<Record<'tag' | 'did' | 'invalid' | 'novel', Float32Array>> & {
  readonly length: Uint32Array;
  readonly ending: Uint32Array;
};

/** 1 where a step was what its tag says, else 0; 0 on padding. */
function earned(T: number, byAction: boolean, { tag, did, invalid, novel, length, ending }: Columns): Float32Array {
  return tag.map((of, k) => {
    const i = Math.floor(k / T);
    if (k % T >= length[i]! || invalid[k] === 1) return 0;
    const before = Array.from({ length: k % T }, (_, t) => i * T + t);
    const wasDone = before.some((j) => invalid[j] === 0 && did[j] === did[k]);
    const isReflected = k % T > 0 && invalid[k - 1] === 1 && did[k - 1] !== did[k];
    const isTrue = {
      [TAG.none]: false,
      [TAG.plan]: ending[4 * i] === 1,
      [TAG.explore]: byAction ? !wasDone : novel[k] === 1,
      [TAG.reflect]: isReflected,
      [TAG.monitor]: false,
    };
    return isTrue[of as keyof typeof isTrue] ? 1 : 0;
  });
}

const SHAPES = [
  [1, 1],
  [5, 13],
  [65, 3],
] as const;

export const cases: readonly Case[] = (['state', 'action'] as const).flatMap((news) =>
  SHAPES.map(([B, T], seed): Case => {
    const length = wholes(seed, B, T).map((n) => n + 1);
    const labels = (salt: number, most: number): Float32Array => Float32Array.from(wholes(seed + salt, B * T, most));
    const ending = wholes(seed + 1, 4 * B, 2);
    const tag = labels(2, TAGS.length);
    const [did, invalid, novel] = [labels(3, 4), labels(4, 2), labels(5, 2)];
    return {
      name: `earnedTags of ${B}×${T}, news by ${news}`,
      kernel: earnedTags,
      dims: { rows: B, cols: T, byAction: news === 'action' ? 1 : 0 },
      groups: [Math.ceil((B * T) / 64)],
      buffers: { tag, did, invalid, novel, length, ending, y: untouched(B * T) },
      expected: { y: earned(T, news === 'action', { tag, did, invalid, novel, length, ending }) },
      tolerance: { abs: 0, rel: 0 },
    };
  }),
);
