import { settings, type ValuesOf } from '../../core/settings.ts';
import { wholeTask } from '../../contract/taskContext.ts';
import { endlessProbability, placeOf, replayDistribution, replayProbability } from './replayDistribution.ts';
import { defineTaskSource, type SourceState } from './types.ts';
import { type TaskContext, type TaskOutcome } from '../../contract/tasks.ts';

const params = settings({
  score: {
    kind: 'choice',
    label: 'Score of a level',
    default: 'spread',
    options: ['spread', 'valueL1', 'creditSize'],
    optionLabels: ['spread of returns in its group', 'error of the critic', 'size of its credit'],
    doc: 'How the latest visit measures what is left to learn.',
    formula: 'S = std R, mean |target − V| or mean |A|',
  },
  temperature: {
    kind: 'number',
    label: 'Temperature',
    default: 0.1,
    min: 0.05,
    max: 10,
    scale: 'log',
    doc: 'Small values nearly always replay the top ranks; large ones treat all seen levels alike.',
    formula: 'β',
  },
  staleness: {
    kind: 'number',
    label: 'Share by age',
    default: 0.1,
    min: 0,
    max: 1,
    doc: 'Share of replays that goes to levels not drawn for a while, because their scores are old.',
    formula: 'ρ',
  },
  schedule: {
    kind: 'choice',
    label: 'New or replayed',
    default: 'fixed',
    options: ['fixed', 'proportionate'],
    optionLabels: ['fixed chance after a warm-up', 'rising with the levels seen'],
    doc: 'How likely a task is to replay a level; certain once all levels have been seen.',
  },
  warmFraction: {
    kind: 'number',
    label: 'Warm-up',
    default: 0.2,
    min: 0,
    max: 1,
    unit: 'share of levels',
    doc: 'How many levels must have been seen before any is replayed.',
    when: { setting: 'schedule', is: ['fixed'] },
  },
  newProbability: {
    kind: 'number',
    label: 'New levels',
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'Chance of a new level after the warm-up; if levels never run out, always at least this.',
    formula: 'ν',
  },
  kept: {
    kind: 'integer',
    label: 'Levels remembered',
    default: 256,
    min: 1,
    max: 4096,
    doc: 'If levels never run out: how many are remembered; the least likely one is dropped.',
  },
});

type Params = ValuesOf<typeof params>;

/** Levels that a state has room for: all of them, or those that are remembered where there is no end to them. */
const placesOf = ({ kept }: Params, levels: number): number => (levels === 0 ? kept : levels);

/** [places] probability of being replayed in an update. `seenAt`: 1 + the update in which a level was drawn last, 0: never. */
function distributionOf({ score, seenAt }: SourceState, update: number, rule: Params): Float64Array {
  const age = Array.from(seenAt!, (at) => Math.max(0, update + 1 - at));
  return replayDistribution({ score: score!, seen: seenAt!, age }, rule);
}

const countSeen = (seenAt: ArrayLike<number>): number => {
  let seen = 0;
  for (let k = 0; k < seenAt.length; k++) if (seenAt[k]! > 0) seen++;
  return seen;
};

/** A level that was never played and is not among those of this batch; null where there is none left. */
function unseenLevel(seenAt: ArrayLike<number>, taken: ReadonlySet<number>, u: number): number | null {
  const free: number[] = [];
  for (let k = 0; k < seenAt.length; k++) if (seenAt[k] === 0 && !taken.has(k)) free.push(k);
  return free.length > 0 ? free[Math.floor(u * free.length)]! : null;
}

/**
 * Prioritized level replay (arXiv 2010.03934): levels from which there was much to learn when they were last played come
 * again, so that a run spends its episodes where it is neither lost nor done.
 *
 *   with probability `replayProbability` a task is a level drawn from P = (1 − ρ)·P_S + ρ·P_C of the levels that were seen
 *   (see replayDistribution.ts), else a new one, each as likely;     S_level ← score of its last visit
 *
 * A batch holds a new level once, and a level that is replayed perhaps several times: then S is the mean over its groups.
 * Where there is no end to the levels, `kept` of them are remembered, and a new one takes the place of the least likely. The
 * score of a level stays with it when the task grows.
 */
export const levelReplay = defineTaskSource({
  id: 'levelReplay',
  title: 'Prioritized level replay',
  rev: 1,
  source: { title: 'Prioritized Level Replay', arxiv: '2010.03934', level: 'code' },
  formula: 'P = (1 − ρ)·P_S + ρ·P_C,  P_S ∝ (1/rank)^(1/β),  P_C ∝ age',
  look: 'Levels that are sometimes solved come back; those that always or never succeed become rare.',
  params,
  metrics: ['replayShare', 'levelsSeen', 'levelScore'],
  wantsOutcomes: true,
  forgetsWith: ['score'],
  asks: ({ score }) => (score === 'spread' ? [] : [score === 'valueL1' ? 'valueError' : 'creditSize']),
  warns: ({ score }, groupSize) =>
    score === 'spread' && groupSize === 1
      ? 'compares the episodes of a group: with one of them, all levels score the same'
      : null,
  state(rule, levels) {
    const ofLevels = { per: 'replica', width: placesOf(rule, levels), onFork: ['tasks'] } as const;
    return {
      score: { type: 'f64', ...ofLevels },
      seenAt: { type: 'u32', ...ofLevels },
      // the level of a place, where levels have no numbers
      ...(levels === 0 ? { seed: { type: 'u32', ...ofLevels } } : {}),
    };
  },
  next(state, context, rule) {
    const { P, G, levels, draw } = context;
    const seenAt = state['seenAt']!;
    const again = distributionOf(state, context.update, rule);
    const seen = countSeen(seenAt);
    const chance = (levels === 0 ? endlessProbability : replayProbability)(seen, seenAt.length, rule);
    const taken = new Set<number>();
    return Array.from({ length: P }, (_, p) => {
      const isReplay = draw(p, 0) < chance;
      const fresh = isReplay || levels === 0 ? null : unseenLevel(seenAt, taken, draw(p, 1));
      if (fresh !== null) taken.add(fresh);
      if (!isReplay && levels === 0) return wholeTask(context.fresh(p), G);
      // no new level is left: one that was seen, or in the first batch any
      const tag = fresh ?? (seen > 0 ? placeOf(again, draw(p, 1)) : context.pick(p));
      const levelSeed = levels === 0 ? context.grown(state['seed']![tag]!) : context.level(tag);
      return { ...wholeTask(levelSeed, G), tag };
    });
  },
  report(state, outcomes, context, rule) {
    const { score, seenAt, seed } = state as Required<SourceState>;
    const visits = new Map<number, number>();
    const leaving = leastLikelyFirst(state, context, rule, outcomes);
    for (const outcome of outcomes) {
      const { task } = outcome;
      const place = task.tag ?? leaving.next();
      if (task.tag === undefined) seed![place] = task.levelSeed;
      const before = task.tag === undefined ? 0 : (visits.get(place) ?? 0);
      const worth = worthOf(outcome, rule);
      score![place] = before === 0 ? worth : (score![place]! * before + worth) / (before + 1);
      seenAt![place] = context.update + 1;
      visits.set(place, before + 1);
    }
  },
  measure(state, { tasks }) {
    const { score, seenAt } = state as Required<SourceState>;
    const replayed = tasks.filter(({ tag }) => tag !== undefined && seenAt![tag]! > 0).length;
    const seen = countSeen(seenAt!);
    let total = 0;
    for (let k = 0; k < score!.length; k++) if (seenAt![k]! > 0) total += score![k]!;
    return {
      replayShare: replayed / tasks.length,
      levelsSeen: seen,
      ...(seen > 0 ? { levelScore: total / seen } : {}),
    };
  },
});

/** 0 where the credit of an update could not be measured. */
function worthOf({ returnSpread, valueError, creditSize }: TaskOutcome, { score }: Params): number {
  const worth = score === 'spread' ? returnSpread : score === 'valueL1' ? valueError : creditSize;
  return Number.isFinite(worth) ? worth : 0;
}

/** Places for new levels, one after the other: empty ones, then those that would be replayed least; never one just played. */
function leastLikelyFirst(
  state: SourceState,
  { update, levels }: TaskContext,
  rule: Params,
  outcomes: readonly TaskOutcome[],
): { next(): number } {
  if (levels !== 0) return { next: () => 0 };
  const played = new Set(outcomes.map(({ task }) => task.tag));
  const again = distributionOf(state, update, rule);
  const free = Array.from(again.keys()).filter((k) => !played.has(k));
  free.sort((a, b) => again[a]! - again[b]! || a - b);
  const order = free.length > 0 ? free : [0];
  let at = 0;
  return { next: () => order[at++ % order.length]! };
}
