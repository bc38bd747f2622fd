import type { Batch } from '../../contract/columns.ts';
import { TAG, type News } from '../../contract/tags.ts';
import { given } from '../advantage/given.ts';

type Tagged = Pick<Batch, 'B' | 'T' | 'length' | 'success' | 'tag' | 'did' | 'invalid' | 'novel'>;

/** [B, T] the tag of each step; a refused step has none. */
export function validTags(batch: Tagged): Float32Array {
  const invalid = given(batch as Batch, 'invalid');
  return Float32Array.from(given(batch as Batch, 'tag'), (tag, k) => (invalid[k] === 1 ? TAG.none : tag));
}

/**
 * [B, T] 1 where a step was what its tag says, else 0:
 *
 *   plan: the episode succeeds     explore: the step is new     reflect: the step before was refused, and the action differs
 *
 * A refused step has no tag and earns 0, none and monitor never earn. New by `state`: it led to a state that this row had
 * not seen; by `action`: this row had not done the same before where it was possible.
 */
export function tagRewards(batch: Tagged, news: News): Float32Array {
  const { B, T, length, success } = batch;
  const tag = validTags(batch);
  const [invalid, novel, did] = [
    given(batch as Batch, 'invalid'),
    given(batch as Batch, 'novel'),
    given(batch as Batch, 'did'),
  ];
  const out = new Float32Array(B * T);
  for (let i = 0; i < B; i++) {
    const done = new Set<number>();
    for (let k = i * T; k < i * T + length[i]!; k++) {
      const isNew = news === 'state' ? novel[k] === 1 : !done.has(did[k]!);
      if (invalid[k] !== 1) done.add(did[k]!);
      const follows = k > i * T && invalid[k - 1] === 1 && did[k] !== did[k - 1];
      const earns =
        (tag[k] === TAG.plan && success[i] === 1) ||
        (tag[k] === TAG.explore && isNew) ||
        (tag[k] === TAG.reflect && follows);
      out[k] = earns ? 1 : 0;
    }
  }
  return out;
}
