import { given } from '../../slots/advantage/given.ts';
import { defineEstimator, type Estimator } from '../../slots/types.ts';

const common = {
  ...{ title: 'Test', rev: 1, formula: '', look: '', params: {}, alone: () => 'anyway' as const },
  source: { title: 'Test', level: 'textbook' },
} as const;

/** A number for every step, of either sign, that does not depend on luck. */
export const worth = (step: number): number => ((7 * step) % 5) - 1.5;

/** For tests: the worth of a step for the step. */
export const perStep: Estimator = defineEstimator({
  ...{ ...common, id: 'perStep', needs: ['length'] },
  run(batch) {
    const A = new Float32Array(batch.B * batch.T);
    const isReal = (step: number): boolean => step % batch.T < batch.length[Math.floor(step / batch.T)]!;
    for (let step = 0; step < A.length; step++) A[step] = isReal(step) ? worth(step) : 0;
    return { A };
  },
});

/** The worth of its step for every unit that `counts`. */
const perUnit = (id: string, counts: (d: number) => boolean): Estimator =>
  defineEstimator({
    ...{ ...common, id, perUnit: true, needs: ['units'] },
    run(batch) {
      const { B, T, K = 1 } = batch;
      const units = given(batch, 'units');
      const A = new Float32Array(B * T * K);
      for (let step = 0; step < B * T; step++)
        for (let d = 0; d < units[step]!; d++) if (counts(d)) A[step * K + d] = worth(step);
      return { A };
    },
  });
export const spread = perUnit('spread', () => true);
export const firstWord = perUnit('firstWord', (d) => d === 0);

/** A small run in which commands of one or two words are written, and every unit has its own ratio. */
export const WRITTEN = {
  'task.method': 'textmaze',
  'task.textmaze.maxSteps': 5,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'run.seeds': 2,
  'policy.method': 'transformer',
  'policy.transformer.width': 8,
  'policy.transformer.heads': '2',
  'policy.transformer.layers': 1,
  'policy.transformer.hidden': 8,
  'objective.ratioLevel': 'unit',
};
