import { settings, type ValuesOf } from '../../core/settings.ts';
import { evenLevel, wholeTask } from '../../contract/taskContext.ts';
import type { SavedState, TaskOutcome } from '../../contract/tasks.ts';
import { measured } from './begin.ts';
import { placeOf, replayDistribution } from './replayDistribution.ts';
import { defineTaskSource, type SourceState } from './types.ts';

const params = settings({
  share: {
    ...{ kind: 'number', label: 'Stored starts', default: 0.5, min: 0, max: 1, unit: 'of the tasks' },
    doc: 'How often a task begins in a stored state; the others begin at the start.',
  },
  variance: {
    kind: 'choice',
    label: 'Variance of a group',
    default: 'success',
    options: ['success', 'return'],
    optionLabels: ['of success', 'of the return'],
    doc: 'What has to differ between the episodes of a group for a state of it to be stored.',
    formula: 'v = p̂(1 − p̂) or var R',
  },
  temperature: {
    ...{ kind: 'number', label: 'Temperature', default: 0.1, min: 0.05, max: 10, scale: 'log', formula: 'β' },
    doc: 'Small values nearly always take the highest variances; large ones treat all states alike.',
  },
  kept: {
    ...{ kind: 'integer', label: 'States remembered', default: 512, min: 1, max: 2048, scale: 'log' },
    doc: 'Once so many are stored, the one with the lowest variance leaves.',
  },
});

type Params = ValuesOf<typeof params>;

/** Groups in a row that agree before their state is forgotten. */
const SILENT = 2;

/** Variance of a group: 0 where its episodes agree. */
export function varianceOf({ success, returnSpread }: TaskOutcome, { variance }: Pick<Params, 'variance'>): number {
  return variance === 'success' ? success * (1 - success) : returnSpread ** 2;
}

/** Stores a state where there is room, else in place of the lowest variance, of equal ones the oldest, unless its own is lower. */
function store(state: SourceState, start: SavedState, levelSeed: number, { v, now }: { v: number; now: number }): void {
  const { variance, seenAt } = state as Required<SourceState>;
  let place = seenAt!.indexOf(0);
  if (place < 0) {
    place = 0;
    for (let k = 1; k < seenAt!.length; k++) {
      const less = variance![k]! - variance![place]!;
      if (less < 0 || (less === 0 && seenAt![k]! < seenAt![place]!)) place = k;
    }
    if (v < variance![place]!) return;
  }
  variance![place] = v;
  seenAt![place] = now;
  state['silent']![place] = 0;
  state['seed']![place] = levelSeed;
  state['start']!.set(start, place * start.length);
}

/**
 * ExIt: episodes begin in states that the policy has met itself, where it is open how they end.
 *
 *   stored: (level, state s[i,t], steps used up, v)     v: variance of the group that came from there, at first of the one it is from
 *   with probability `share` a task begins in a stored state, drawn by P ∝ (1/rank)^(1/β), rank 1 = highest v, each at most
 *   once in a batch; else it is a new task
 *   after an update: v ← p̂(1 − p̂) of the groups that began in stored states; silent twice in a row: forgotten
 *                    of every group with v > 0, one state of a random row, t > 0 even, is stored; lowest v leaves
 *
 * What led to a state is not trained again. (Shares, sizes and what is stored are the lab's; the priority is the paper's.)
 */
export const exIt = defineTaskSource({
  id: 'exIt',
  title: 'Partial histories (ExIt)',
  rev: 1,
  source: { title: 'ExIt', arxiv: '2509.04575', level: 'digest' },
  formula: 's₀ ~ (1/rank v)^(1/β),  v = p̂(1 − p̂)',
  look: 'Starts move to where success is open. Once all groups agree, no more states are stored.',
  params,
  starts: true,
  wantsOutcomes: true,
  metrics: ['savedStarts', 'histories', 'historyDepth', 'historyVariance'],
  forgetsWith: ['variance'],
  asks: () => ['passed'],
  warns: ({ share, variance }, groupSize) =>
    groupSize === 1
      ? 'compares the episodes of a group: with one of them, no state is ever stored'
      : share === 0
        ? `stores states by the variance of ${variance}, and none is ever played`
        : null,
  state({ kept }, _levels, words) {
    const each = { per: 'replica', width: kept, onFork: ['tasks'] } as const;
    return {
      seed: { type: 'u32', ...each },
      start: { type: 'u32', ...each, width: kept * words },
      variance: { type: 'f64', ...each },
      // 1 + update of its last group, 0: nothing is stored here; and groups in a row that agreed
      seenAt: { type: 'u32', ...each },
      silent: { type: 'u32', ...each },
    };
  },
  next(state, context, { share, temperature }) {
    const { variance, seenAt, seed, start } = state as Required<SourceState>;
    const { P, G, draw } = context;
    const levels = { score: variance!, seen: seenAt!, age: seenAt! };
    const left = replayDistribution(levels, { temperature, staleness: 0 });
    const words = start!.length / seed!.length;
    return Array.from({ length: P }, (_, p) => {
      const total = left.reduce((sum, x) => sum + x, 0);
      const tag = draw(p, 0) < share ? placeOf(left, draw(p, 1) * total) : -1;
      if (tag < 0) return wholeTask(evenLevel(context, p), G);
      left[tag] = 0;
      return { ...wholeTask(seed![tag]!, G), start: Array.from(start!.slice(tag * words, (tag + 1) * words)), tag };
    });
  },
  report(state, outcomes, { update }, rule) {
    const { variance, seenAt, silent } = state as Required<SourceState>;
    const open = outcomes.filter(({ tries }) => tries > 0);
    for (const outcome of open) {
      const { tag } = outcome.task;
      if (tag === undefined) continue;
      variance![tag] = varianceOf(outcome, rule);
      silent![tag] = variance![tag] === 0 ? silent![tag]! + 1 : 0;
      seenAt![tag] = silent![tag] < SILENT ? update + 1 : 0;
    }
    for (const outcome of open) {
      const v = varianceOf(outcome, rule);
      if (v > 0 && outcome.passed) store(state, outcome.passed, outcome.task.levelSeed, { v, now: update + 1 });
    }
  },
  measure(state, batch) {
    const { variance, seenAt, seed, start } = state as Required<SourceState>;
    const words = start!.length / seed!.length;
    let [n, steps, spread] = [0, 0, 0];
    for (let k = 0; k < seenAt!.length; k++) {
      if (seenAt![k] === 0) continue;
      n++;
      steps += start![(k + 1) * words - 1]! & 0xffff;
      spread += variance![k]!;
    }
    const means = n > 0 ? { historyDepth: steps / n, historyVariance: spread / n } : {};
    return { ...measured(batch), histories: n, ...means };
  },
});
