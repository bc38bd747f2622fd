import { settings } from '../../core/settings.ts';
import { defineReward } from './types.ts';

/** Steps of the cache, C = round(c·L). */
const cacheOf = (c: number, L: number): number => Math.round(c * L);

/**
 * A soft end before the step limit L: the last C = round(c·L) steps cost more and more, and being cut costs 1.
 *
 *   ℓ ≤ L − C: 0     L − C < ℓ ≤ L: ((L − C) − ℓ)/C     cut at L: −1        paid at the last step
 */
export const overlong = defineReward({
  id: 'overlong',
  title: 'Overlong shaping',
  rev: 1,
  kind: 'additive',
  source: { title: 'DAPO', arxiv: '2503.14476', level: 'text' },
  needs: ['length', 'terminated'],
  formula: 'r ← r − clamp((ℓ − (L − C))/C, 0, 1) at the last step, C = c·L',
  look: 'Episodes end before the step limit: near it, every further step costs.',
  also: 'length penalty, time penalty',
  params: settings({
    cache: {
      kind: 'number',
      label: 'Soft end',
      default: 0.2,
      min: 0,
      max: 1,
      doc: 'Share of the step limit before it in which further steps cost.',
      formula: 'c',
    },
    w: { kind: 'number', label: 'Weight', default: 1, min: 0, max: 10, doc: 'What being cut costs.', formula: 'w' },
  }),
  run({ B, T, length, terminated }, { cache, w }, out) {
    const C = cacheOf(cache, T);
    for (let i = 0; i < B; i++) {
      const over = length[i]! - (T - C);
      const cost = terminated[i] === 0 ? 1 : over > 0 ? over / C : 0;
      out[i * T + length[i]! - 1] = cost === 0 ? 0 : -w * cost;
    }
  },
  scratch: ({ cache }) => (cache === 0 ? 3 : 8),
  gpu(ops, { cache, w }) {
    const C = cacheOf(cache, ops.limit);
    const ended = ops.ended('terminated');
    const one = ops.threshold(ended, 0);
    const last = ops.atEnd(one);
    const cut = ops.combine(1, one, -1, ended);
    if (C === 0) return ops.combine(0, cut, 0, last, -w);
    // over/C = 1 − left·L/C, and its positive part as (x + |x|)/2
    const x = ops.combine(1, one, -ops.limit / C, ops.ended('timeLeft'));
    const soft = ops.combine(0.5, x, 0.5, ops.map('abs', x));
    const cost = ops.combine(1, cut, 1, ops.combine(0, soft, 0, ended, 1));
    return ops.combine(0, cost, 0, last, -w);
  },
});
