import { settings } from '../../core/settings.ts';
import { withWord } from '../../envs/perturb/withWord.ts';
import { defineWrapper, noRoomIn, u32 } from './types.ts';

/** Name of the number of its budget in a level that a member of a group meets. */
const DEALT = Symbol('budget');
type WithBudget = { readonly [DEALT]?: number };

/** Budget number j of k in whole steps: shares from `least` to `most` of the step limit, evenly spaced. */
export function budgetOf(j: number, { levels: k, least, most }: Budgets, T: number): number {
  const share = k === 1 ? most : least + ((most - least) * j) / (k - 1);
  return Math.max(1, Math.round(share * T));
}
type Budgets = { readonly levels: number; readonly least: number; readonly most: number };

/**
 * Step budgets that the agent sees: the members of a task group are dealt equally over k of them, the first one the largest.
 *
 *   b_j = T·(least + (most − least)·j/(k − 1)), rounded     j = k − 1 − (member mod k)
 *
 * A state is j, then the words of the world; an observation is that of the world, then j as one of k bits. The world itself
 * does not change: only a reward or a credit that reads budgets asks whether one was kept.
 */
export const stepBudget = defineWrapper({
  id: 'stepBudget',
  title: 'Step budgets',
  rev: 1,
  source: { title: 'HBPO', arxiv: '2507.15844', level: 'text' },
  formula: 'b ∈ {b₁, …, b_k}, dealt equally inside a group and shown',
  look: 'The agent sees how many steps it should need; members of a group see different budgets.',
  deals: 'budget',
  also: 'token budget, length of thinking',
  params: settings({
    levels: {
      ...{ kind: 'integer', label: 'Budgets', default: 4, min: 1, max: 8 },
      doc: 'How many different ones the members of a group get; best a divisor of the group size.',
      formula: 'k',
    },
    least: {
      ...{ kind: 'number', label: 'Smallest', default: 0.25, min: 0.01, max: 1, unit: 'of the step limit' },
      doc: 'The tightest budget; the others are spaced evenly between the two.',
    },
    most: {
      ...{ kind: 'number', label: 'Largest', default: 0.7, min: 0.01, max: 1, unit: 'of the step limit' },
      doc: 'The most generous one. A success with a budget of the whole step limit earns nothing in HBPO.',
    },
  }),
  world(env, params) {
    const { levels: k } = params;
    const { gpu, deal } = env;
    const numberOf = (level: unknown): number => (level as WithBudget)[DEALT] ?? k - 1;
    const stepsOf = (level: unknown, j: number): number => budgetOf(j, params, env.maxSteps(level));
    const inner = deal?.count ?? 1;
    return {
      ...withWord(env),
      reset(level, state, at) {
        state[at] = numberOf(level);
        env.reset(level, state, at + 1);
      },
      step: (level, state, at, move, result) => env.step(level, state, at + 1, move, result),
      outcomes: (level, from, action) =>
        env.outcomes(level, from.slice(1), action).map((o) => ({ ...o, state: Uint32Array.of(from[0]!, ...o.state) })),
      text: (level, state, at) => `; budget: ${stepsOf(level, state[at]!)} steps\n${env.text(level, state, at + 1)}`,
      deal: {
        count: inner * k,
        variant: (member, trains) => (deal?.variant(member, trains) ?? 0) + inner * (member % k),
        level: (level, variant) => ({
          ...((deal?.level(level, variant % inner) ?? level) as object),
          [DEALT]: k - 1 - Math.floor(variant / inner),
        }),
        budget: (level, state, at) => stepsOf(level, state[at]!),
      },
      features: (level) => env.features(level) + k,
      observe(level, state, at, bits, bitsAt) {
        env.observe(level, state, at + 1, bits, bitsAt);
        const features = env.features(level);
        const own = features + state[at]!;
        bits.fill(0, bitsAt + Math.ceil(features / 32), bitsAt + Math.ceil((features + k) / 32));
        bits[bitsAt + (own >>> 5)]! |= 1 << (own & 31);
      },
      ...(gpu && {
        gpu: { ...gpu, packLevel: (level) => Uint32Array.of(...gpu.packLevel(level), numberOf(level)) },
      }),
    };
  },
  inexact: () => 'Members of a group see different budgets, and values are those of one.',
  refuses: (_params, view) => noRoomIn(view),
  wgsl: async () => (await import('./stepBudget.wgsl?raw')).default,
  constants: ({ levels }, { features, levelWords }) => ({
    ...{ FEATURES: u32(features), PLACE: u32(levelWords), WORDS: u32(Math.ceil((features + levels) / 32)) },
  }),
});
