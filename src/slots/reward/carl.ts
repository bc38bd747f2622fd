import { settings } from '../../core/settings.ts';
import { defineReward } from './types.ts';

/**
 * One product in place of a sum of wishes: progress, times what is left after every offence, and a price for the end.
 *
 *   r[t] = c[t]·Π_k p[t,k] − penalty·hard[t]     c: completion gained beyond the highest so far of the episode
 *
 * So going back and forth earns nothing (our choice), and an offence costs only what the same step would have gained. With
 * `hardEnds` nothing is paid after the first hard event, whether or not the world goes on.
 */
export const carl = defineReward({
  id: 'carl',
  title: 'Completion × penalties (CaRL)',
  rev: 1,
  kind: 'replacing',
  source: {
    title: 'CaRL: Learning Scalable Planning Policies with Simple Rewards',
    arxiv: '2504.17838',
    level: 'digest',
  },
  needs: ['completion', 'softPenalty', 'hardEvent', 'length'],
  formula: 'r ← c·Π p − penalty·hard, c = completion gained beyond the best so far',
  look: 'The agent gets cautious: what cannot be undone costs, and going back and forth earns nothing.',
  also: 'safety, route completion, partial credit',
  params: settings({
    penalty: {
      kind: 'number',
      label: 'Penalty',
      default: 1,
      min: 0,
      max: 10,
      doc: 'What it costs when something happens that cannot be undone.',
    },
    hardEnds: {
      kind: 'switch',
      label: 'A hard event ends the pay',
      default: true,
      doc: 'After the first one nothing is paid any more, as if the episode had ended there.',
    },
  }),
  run({ B, T, length, completion, softPenalty, hardEvent }, { penalty, hardEnds }, out) {
    for (let i = 0; i < B; i++) {
      let best = completion![i * (T + 1)]!;
      for (let t = 0; t < length[i]!; t++) {
        const k = i * T + t;
        const now = completion![i * (T + 1) + t + 1]!;
        const gained = Math.max(0, now - best);
        best = Math.max(best, now);
        out[k] = gained * softPenalty![2 * k]! * softPenalty![2 * k + 1]! - penalty * hardEvent![k]!;
        if (hardEnds && hardEvent![k] === 1) break;
      }
    }
  },
  scratch: ({ hardEnds }) => (hardEnds ? 6 : 4),
  gpu(ops, { penalty, hardEnds }) {
    const gained = ops.combine(0, ops.gains('completion'), 0, ops.product('softPenalty'), 1);
    const paid = ops.combine(1, gained, -penalty, ops.signal('hardEvent'));
    return hardEnds ? ops.combine(0, paid, 0, ops.upTo('hardEvent'), 1) : paid;
  },
});
