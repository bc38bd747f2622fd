import { settings } from '../../core/settings.ts';
import { wholeTask } from '../../contract/taskContext.ts';
import { defineTaskSource, type SourceState } from './types.ts';

/** Groups that a state remembers, newest first: enough for the largest window of groups of one. */
const GROUPS = 512;
/** Draws of this source: whether task p rehearses, and which stage. */
const REHEARSES = 3;
const WHICH_STAGE = 4;

const params = settings({
  advance: {
    kind: 'choice',
    label: 'Another piece',
    default: 'success',
    options: ['success', 'updates'],
    optionLabels: ['when it works, or after “Grow every”', 'after “Grow every”'],
    doc: 'When a stage has been learned, or after the number of updates that the task says.',
  },
  threshold: {
    ...{ kind: 'number', label: 'Works', default: 0.7, min: 0.05, max: 1, unit: 'success' },
    doc: 'Share of the latest episodes of the stage that must succeed.',
    when: { setting: 'advance', is: ['success'] },
  },
  rows: {
    ...{ kind: 'integer', label: 'Measured over', default: 64, min: 1, max: GROUPS, unit: 'episodes' },
    doc: 'How many of the latest episodes of the stage are counted, in whole groups.',
    when: { setting: 'advance', is: ['success'] },
  },
  rehearsal: {
    ...{ kind: 'number', label: 'Rehearsal', default: 0.25, min: 0, max: 0.9, unit: 'share of tasks' },
    doc: 'Tasks with fewer pieces, so that the first ones are not forgotten.',
  },
});

/** Share of successes in the latest groups that hold at least `rows` episodes; NaN while there are fewer. */
function successOver({ wins, tries, known }: SourceState, rows: number): number {
  let [won, played] = [0, 0];
  for (let k = 0; k < known![0]! && played < rows; k++) {
    won += wins![k]!;
    played += tries![k]!;
  }
  return played >= rows ? won / played : NaN;
}

/** Remembers a group, the newest first. */
function remember({ wins, tries, known }: SourceState, won: number, played: number): void {
  const kept = Math.min(GROUPS - 1, known![0]!);
  for (let k = kept; k > 0; k--) {
    wins![k] = wins![k - 1]!;
    tries![k] = tries![k - 1]!;
  }
  wins![0] = won;
  tries![0] = played;
  known![0] = kept + 1;
}

/**
 * Chains that grow by one piece when the longest one works (h1, arXiv 2510.07312): training sees p where all pieces at once
 * would show it p^h.
 *
 *   a task plays the stage reached, or with probability `rehearsal` an earlier one, each as likely
 *   the next stage begins when the latest `rows` episodes of this stage succeed often enough, and at the latest after
 *   “Grow every” updates in it
 *
 * The advance rule by success and the rehearsal are this lab's; the paper trains one length after the other.
 */
export const h1 = defineTaskSource({
  id: 'h1',
  title: 'h1: another piece when it works',
  rev: 1,
  source: { title: 'h1', arxiv: '2510.07312', level: 'digest' },
  formula: 'h ← h + 1 when success over 64 episodes ≥ 0.7',
  look: 'Success climbs, drops when a piece is added, and climbs again; stages end when they are learned.',
  params,
  metrics: ['stage', 'stageSuccess'],
  wantsOutcomes: true,
  grows: true,
  state: () => ({
    stage: { type: 'u32', per: 'replica', width: 1, onFork: ['tasks'] },
    // updates in this stage, and its latest groups, newest first
    updates: { type: 'u32', per: 'replica', width: 1, onFork: ['tasks'] },
    known: { type: 'u32', per: 'replica', width: 1, onFork: ['tasks'] },
    wins: { type: 'u32', per: 'replica', width: GROUPS, onFork: ['tasks'] },
    tries: { type: 'u32', per: 'replica', width: GROUPS, onFork: ['tasks'] },
    reached: { type: 'f64', per: 'replica', width: 1, onFork: ['tasks'] },
  }),
  next({ stage }, context, { rehearsal }) {
    const { P, G, levels, level, fresh, pick, draw, staged } = context;
    const top = Math.min(stage![0]!, context.stages - 1);
    return Array.from({ length: P }, (_, p) => {
      const isOld = top > 0 && draw(p, REHEARSES) < rehearsal;
      const now = isOld ? Math.floor(draw(p, WHICH_STAGE) * top) : top;
      return { ...wholeTask(staged(levels === 0 ? fresh(p) : level(pick(p)), now), G), tag: now };
    });
  },
  report(state, outcomes, { stages, growEvery }, { advance, threshold, rows }) {
    const now = state['stage']![0]!;
    for (const { task, tries, success } of outcomes)
      if (task.tag === now && tries > 0) remember(state, Math.round(success * tries), tries);
    state['updates']![0]!++;
    const success = successOver(state, rows);
    state['reached']![0] = success;
    const isLearned = advance === 'success' && success >= threshold;
    if (now + 1 >= stages || (!isLearned && state['updates']![0]! < growEvery)) return;
    state['stage']![0] = now + 1;
    state['updates']![0] = 0;
    state['known']![0] = 0;
  },
  measure: ({ stage, updates, reached }) => ({
    stage: stage![0]! + 1,
    ...(updates![0]! > 0 ? { stageSuccess: reached![0]! } : {}),
  }),
});
