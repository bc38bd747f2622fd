import { settings } from '../../core/settings.ts';
import { defineEstimator } from '../types.ts';
import { common } from './common.ts';
import { levelTerm } from './hierarchy/explainLevels.ts';
import { roleHeads } from './hierarchy/levelsOfSteps.ts';
import { flatSteps, hierarchicalSteps } from './hierarchy/stepCredit.ts';
import { normalizeHeads, whiten } from './segments.ts';

const trace = { kind: 'number', default: 0.95, min: 0, max: 1 } as const;
const params = settings({
  levels: {
    kind: 'choice',
    label: 'Credit',
    default: 'each',
    options: ['each', 'flat'],
    optionLabels: ['of each level (HAE)', 'as one chain (flat GAE)'],
    doc: 'Each level has its own horizon and statistics, or all decisions are one chain.',
  },
  gamma: { ...common.gamma, default: 0.97, doc: 'Per step of the world; decisions of the planner cost no time.' },
  lambdaLow: {
    ...{ ...trace, label: 'Trace of actions', formula: 'λ_lo' },
    doc: '0 trusts the critic after one step, 1 the whole return up to the next subgoal.',
  },
  lambdaHigh: {
    ...{ ...trace, label: 'Trace of subgoals', formula: 'λ_hi' },
    doc: 'The same from subgoal to subgoal.',
    when: { setting: 'levels', is: ['each'] },
  },
  cut: {
    kind: 'choice',
    label: 'At the step limit',
    default: 'final',
    options: ['final', 'last', 'zero'],
    optionLabels: ['value of the last state', 'values before it (released code)', 'nothing follows'],
    doc: 'With what the running subgoal is closed where an episode is cut.',
  },
});

type Rule = {
  readonly [K in 'gamma' | 'lambdaLow' | 'lambdaHigh']: number;
} & { readonly cut: 'final' | 'last' | 'zero'; readonly levels: 'each' | 'flat' };

const creditOf = (batch: Parameters<typeof flatSteps>[0], rule: Rule) =>
  rule.levels === 'each' ? hierarchicalSteps(batch, rule) : flatSteps(batch, rule);

/**
 * Hierarchical advantage estimation over the steps of a policy that sets itself subgoals: who acts is judged up to the next
 * subgoal, which then answers for the rest by V_hi; a subgoal by its whole segment; keep or new by the rest of the segment.
 * V_sw, V_hi and V_lo are V at the steps where these are decided. See hierarchy/hae.ts for the formulas.
 */
export const hiper = defineEstimator({
  id: 'hiper',
  title: 'HAE (HiPER)',
  rev: 1,
  source: { title: 'HiPER', arxiv: '2602.16165', level: 'code' },
  needs: ['reward', 'value', 'valueFinal', 'terminated', 'length', 'decides'],
  critic: true,
  metrics: ['valueLoss', 'explainedVariance', 'criticGap'],
  formula:
    'A_lo = Σ(γλ_lo)^k δ to the end of a segment;  A_hi = R_k + γ^d V_hi′ − V_hi + γ^d λ_hi A_hi′;  A_sw = R − V_sw',
  finePrint: [
    {
      on: 'levels',
      paper: 'Two.',
      code: 'Three critics, with a separate advantage for keep or switch.',
      lab: 'Three.',
    },
    {
      on: 'episodes that are cut',
      paper: 'Not said.',
      code: 'V_lo of the last state for actions, V_hi of the start of the segment for the other two.',
      lab: 'V_lo of the final state for all three; the code’s way can be chosen.',
    },
    {
      on: 'the first step',
      paper: 'Not said.',
      code: 'Its switch has an advantage like the others.',
      lab: 'It always sets a subgoal, so there is no decision and no advantage.',
    },
  ],
  look: 'A wrong subgoal is blamed once, where it was set; what was done under it is judged against it.',
  also: 'hierarchical advantage estimation, subgoal, switch, segment, planner, executor',
  params,
  alone: () => 'anyway',
  run(batch, rule) {
    const { adv, target } = creditOf(batch, rule);
    const A = rule.levels === 'each' ? normalizeHeads(adv, roleHeads(batch), 'std', true) : whiten(batch, adv);
    return { A, target };
  },
  explain(batch, rule, step) {
    const { adv, target } = creditOf(batch, rule);
    return { terms: [levelTerm(batch, { adv, target }, rule.levels, step)] };
  },
});
