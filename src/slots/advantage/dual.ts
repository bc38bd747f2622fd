import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { scoreTerms } from './explainSteps.ts';
import { given } from './given.ts';
import { normalizeHeads, taskHeads } from './segments.ts';
import { baseCredit, sumOfParts } from './trajectoryCredit.ts';

/** Signals that may score a step: its value, or how much it rose in the step. */
const SIGNALS = {
  milestones: 'progress',
  completion: 'completion',
  distance: 'phi',
  new: 'novel',
  possible: 'grounded',
};

type Source = 'exact' | 'simulated' | keyof typeof SIGNALS;

/**
 * Two granularities: the episode among those of its task, and the step among all steps of the task, by a score ψ.
 *
 *   A[i,t] = Normalize over the group of R[i]  +  β·Normalize over all steps of i's task group of ψ[i,t]   (std over n for ψ)
 *
 * ProRAG learns ψ from a tree search; here it is given: the exact advantage of the step, one estimated by playing on from
 * restored states, or a signal of the world. With “possible action” it is the step level of THOR (arXiv 2509.13761), which
 * scores whether a call could be carried out. Longer episodes weigh more in the statistics of steps; a score that is equal
 * everywhere adds 0.
 */
export const dual = defineEstimator({
  id: 'dual',
  title: 'Dual granularity',
  rev: 1,
  source: { title: 'ProRAG', arxiv: '2601.21912', level: 'code' },
  needs: ['outcome', 'taskIndex', 'length', 'processScore'],
  finePrint: [
    {
      on: 'Spread',
      paper: 'Not said.',
      code: 'Outcomes: of a sample, plus 10⁻⁴. Scores: of a population, with 10⁻⁸ under the root.',
      lab: 'The same two, plus 10⁻⁶.',
    },
  ],
  formula: 'A = normalize(R) over the task + β · normalize(ψ) over the steps of the task',
  look: 'With the exact score, credit points to the key and the door from the first batch, even where every episode fails.',
  also: 'process reward model, PRM, step reward',
  params: settings({
    score: {
      kind: 'choice',
      label: 'Score of a step',
      default: 'exact',
      options: ['exact', 'simulated', 'milestones', 'completion', 'distance', 'new', 'possible'],
      optionLabels: [
        'exact advantage of the policy',
        'advantage from restored states',
        'milestones reached',
        'completion gained',
        'distance gained',
        'new state (1 or 0)',
        'possible action (THOR)',
      ],
      doc: 'What a step is worth. The first two say it of the policy that trains.',
      formula: 'ψ',
    },
    beta: {
      kind: 'number',
      label: 'Step weight',
      default: 0.5,
      min: 0,
      max: 10,
      doc: 'Weight of the step part; the released code has 0.5, its script 0.3.',
      formula: 'β',
    },
    gamma: {
      ...common.gamma,
      default: 1,
      doc: 'Discount inside the advantage that scores a step.',
      when: { setting: 'score', is: ['exact', 'simulated'] },
    },
    tries: {
      kind: 'integer',
      label: 'Episodes per state',
      default: 4,
      min: 1,
      max: 64,
      doc: 'Episodes played on from each visited state; their steps count as environment steps.',
      formula: 'n',
      when: { setting: 'score', is: ['simulated'] },
    },
    rows: common.rows,
  }),
  // a single episode still compares its steps
  alone: ({ beta }) => (beta > 0 ? 'anyway' : 'nothing'),
  parts: ['episode', 'step'],
  scores({ score, gamma, tries }) {
    const of = score as Source;
    if (of === 'exact') return { of, gamma };
    if (of === 'simulated') return { of, gamma, tries };
    return { of: 'signal', signal: SIGNALS[of] as 'progress' | 'completion' | 'phi' | 'novel' | 'grounded' };
  },
  run(batch, { beta, rows }) {
    const score = given(batch, 'processScore');
    const parts = {
      episode: baseCredit(batch, 'grpo', rows),
      step: normalizeHeads(score, taskHeads(batch), 'std', true).map((x) => beta * x),
    };
    return { A: sumOfParts(parts), parts };
  },
  // the others are made in main memory
  onGpu: ({ score }) => score === 'exact',
  scratch: () => 4,
  gpu(ops, { beta, rows }) {
    const compared = ops.normalize(ops.column('processScore'), 'task', 'stdOverN');
    const step = ops.combine(beta, compared, 0, compared);
    const episode = ops.broadcast(ops.normalize(ops.outcome, 'task', 'std', rows));
    return { A: ops.combine(1, episode, 1, step), parts: { episode, step } };
  },
  explain: (batch, { beta, rows }, step) => ({ terms: scoreTerms(batch, { beta, rows }, step) }),
});
