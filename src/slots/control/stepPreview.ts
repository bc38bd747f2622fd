import { defineController } from './types.ts';

/** KL to the reference up to which a step is left alone, in nats. */
const MOST_KL = 0.5;

/**
 * Step preview of SAFE: the minibatch is looked at once more after its step, and a step that led too far from the
 * reference is cut, θ ← θ_before + min(1, 0.5/KL)·(θ − θ_before). Moments stay those of the whole step. The paper has it;
 * the released code defines it and never calls it.
 */
export const stepPreview = defineController({
  id: 'stepPreview',
  title: 'Step preview',
  rev: 1,
  source: { title: 'SAFE', arxiv: '2602.04651', level: 'code' },
  formula: 'θ ← θ_before + min(1, 0.5/KL)·(θ − θ_before)',
  look: 'Shortens steps that go beyond a KL of 0.5. It is in the paper, but the released code never calls it.',
  params: {},
  looksAtKl: true,
  metrics: ['stepKept'],
  cutsAt: () => MOST_KL,
});
