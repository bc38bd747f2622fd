import { settings } from '../../core/settings.ts';
import { defineRollout, type RowMark } from './types.ts';

const params = settings({
  share: {
    kind: 'number',
    label: 'Share that trains',
    default: 0.5,
    min: 0.1,
    max: 1,
    doc: 'Of every group: the first half of these by rank, and the last half. The group size counts all that are played.',
  },
  statistics: {
    kind: 'choice',
    label: 'Statistics over',
    default: 'all',
    options: ['all', 'kept'],
    optionLabels: ['all episodes played', 'the episodes kept (a trap)'],
    doc: 'Over the kept ones alone the baseline moves toward ½, and credit says a rank more than an outcome.',
  },
});

/**
 * Which of the episodes of a group train: the best and shortest, and the worst and longest.
 *
 *   order by (R falling, length rising); the first ⌈K/2⌉ and the last ⌊K/2⌋ of the G′ that were played, K = share·G′
 *
 * Where all returns agree K of them stay by chance. Own rule: the paper was not reached beyond its abstract, which selects
 * episodes by reward and length.
 * @returns places in the group, best first
 */
export function contrastOf(
  outcome: ArrayLike<number>,
  length: ArrayLike<number>,
  K: number,
  chance: (k: number) => number,
): readonly number[] {
  const G = outcome.length;
  const order = Array.from({ length: G }, (_, k) => k);
  const agrees = order.every((k) => outcome[k] === outcome[0] && length[k] === length[0]);
  if (agrees) order.sort((a, b) => chance(a) - chance(b) || a - b);
  else order.sort((a, b) => outcome[b]! - outcome[a]! || length[a]! - length[b]! || a - b);
  const best = Math.ceil(K / 2);
  return order.filter((_, rank) => rank < best || rank >= G - (K - best));
}

export const contrast = defineRollout({
  id: 'contrast',
  title: 'Best and worst of each group (DCPO)',
  rev: 1,
  source: {
    title: 'ChatShopBuddy: contrastive selection of trajectories; own rule',
    arxiv: '2603.06065',
    level: 'abstract',
  },
  formula: 'rank by (R, −length); keep the first ⌈K/2⌉ and the last ⌊K/2⌋',
  look: 'Half of the episodes train. With statistics over those alone the baseline moves toward ½, whatever the success.',
  params,
  needs: ['taskIndex', 'outcome', 'length'],
  metrics: ['trainedShare'],
  settle({ count, taskIndex, outcome, length }, { draw }, { share, statistics }) {
    const groups = new Map<number, number[]>();
    for (let i = 0; i < count; i++) groups.set(taskIndex[i]!, [...(groups.get(taskIndex[i]!) ?? []), i]);
    const marks: RowMark[] = [];
    for (const rows of groups.values()) {
      const K = Math.max(1, Math.round(share * rows.length));
      const of = (column: ArrayLike<number>): number[] => rows.map((i) => column[i]!);
      const kept = new Set(contrastOf(of(outcome), of(length), K, (k) => draw(rows[k]!, 0)));
      rows.forEach((row, k) => {
        marks[row] = { trains: kept.has(k), measured: statistics === 'all' || kept.has(k) };
      });
    }
    return marks;
  },
  charges: ({ share }) =>
    share < 1 ? `trains on ${Math.round(100 * share)} % of the episodes that it plays and charges all of them` : null,
  warns: ({ share }, { G }) =>
    share === 1
      ? 'keeps every episode: it is plain sampling'
      : Math.round(share * G) < 2
        ? 'keeps a single episode of each group, which is compared with nothing that trains'
        : null,
});
