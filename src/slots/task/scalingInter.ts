import { settings } from '../../core/settings.ts';
import { mean } from '../../core/stats.ts';
import { evenLevel, wholeTask } from '../../contract/taskContext.ts';
import { worldOf } from './begin.ts';
import { defineTaskSource } from './types.ts';

const params = settings({
  every: {
    ...{ kind: 'integer', label: 'Updates per stage', default: 0, min: 0, max: 100_000, unit: 'updates' },
    doc: 'How long a step limit lasts before the next; 0 = a quarter of all updates.',
    formula: 'Δ',
  },
  horizons: {
    ...{ kind: 'integers', label: 'Step limits', default: [], min: 1, max: 4095, minItems: 0, maxItems: 8 },
    doc: 'The step limit of each stage, none lower than the one before; empty = ½, ¾ and all of the usual one.',
    formula: 'h₁ … h_S',
  },
});

/** T(u) = h at place min(⌊u/Δ⌋, S − 1) of the list. */
export const horizonAt = (update: number, every: number, horizons: readonly number[]): number =>
  horizons[Math.min(Math.floor(update / every), horizons.length - 1)]!;

/** The list in force where T is the step limit of the experiment. */
export const horizonsOf = (horizons: readonly number[], T: number): readonly number[] =>
  horizons.length > 0 ? horizons : [0.5, 0.75, 1].map((part) => Math.ceil(part * T));

/** Updates of a stage. */
export const stageOf = (every: number, updates: number): number =>
  every > 0 ? every : Math.max(1, Math.ceil(updates / 4));

/**
 * A step limit that grows over training (ScalingInter-RL):
 *
 *   T(u) = h[min(⌊u/Δ⌋, S − 1)],   h₁ ≤ … ≤ h_S
 *
 * Episodes that are cut there are truncated, and failures with the reward that they have. Evaluations have the whole limit.
 * (The released code counts updates from 1, so that after a resume a stage ends one update early; this formula has no seam.)
 */
export const scalingInter = defineTaskSource({
  id: 'scalingInter',
  title: 'Growing step limit (ScalingInter-RL)',
  rev: 1,
  source: { title: 'AgentGym-RL', arxiv: '2509.08755', level: 'code' },
  formula: 'T(u) = h[min(⌊u/Δ⌋, S − 1)]',
  look: 'Short stages cost few steps and teach short ways; success dips or leaps where the limit rises.',
  params,
  metrics: ['stepLimit'],
  refuses({ horizons }) {
    const falls = horizons.some((h, k) => k > 0 && h < horizons[k - 1]!);
    const rising = [...horizons].sort((a, b) => a - b);
    return falls
      ? { setting: 'horizons', message: 'may not fall: each limit is at least the one before', instead: rising }
      : null;
  },
  warns({ horizons }, _groupSize, { T, shortest }) {
    const first = horizonsOf(horizons, T)[0]!;
    const best = shortest();
    return best !== null && first < best
      ? `cuts every episode before it can succeed in its first stage: ${first} steps, and the shortest way has ${best}`
      : null;
  },
  next(_state, context, { every, horizons }) {
    const { T, updates } = worldOf(context);
    const now = horizonAt(context.update, stageOf(every, updates), horizonsOf(horizons, T));
    const maxSteps = now < T ? now : 0;
    return Array.from({ length: context.P }, (_, p) => ({
      ...wholeTask(evenLevel(context, p), context.G),
      maxSteps,
    }));
  },
  measure: (_state, { tasks, T }) => ({ stepLimit: mean(tasks.map(({ maxSteps }) => maxSteps || T)) }),
});
