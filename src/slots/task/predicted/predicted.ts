import { wholeTask } from '../../../contract/taskContext.ts';
import { settings } from '../../../core/settings.ts';
import { defineTaskSource } from '../types.ts';
import { predictedSuccess } from './kernelAverage.ts';
import { addExpected, reliabilityState } from '../../../core/math/reliability.ts';
import { criticState, descriptorOf, lossesOf, remember, resultsOf, resultsState } from './results.ts';

const params = settings({
  candidates: {
    kind: 'integer',
    label: 'Levels considered',
    default: 4,
    min: 1,
    max: 16,
    unit: '× tasks',
    doc: 'Levels are drawn evenly; of these, those with p̂(1 − p̂) largest are played. 1 plays them all.',
  },
  kept: {
    kind: 'integer',
    label: 'Results remembered',
    default: 512,
    min: 16,
    max: 2048,
    scale: 'log',
    doc: 'M: the newest results that a prediction rests on.',
    formula: 'M',
  },
  decay: {
    kind: 'number',
    label: 'Worth after an update',
    default: 0.97,
    min: 0.5,
    max: 1,
    doc: 'An older policy said less: each update lowers what a result counts by this factor.',
    formula: 'd',
  },
  prior: {
    kind: 'number',
    label: 'Weight of the mean',
    default: 2,
    min: 0.1,
    max: 100,
    scale: 'log',
    unit: 'results',
    doc: 'How much the mean success counts next to the results of similar levels.',
    formula: 'c',
  },
});

const LOSSES = ['predictionLoss', 'meanLoss', 'criticLoss'] as const;

/**
 * Levels are chosen by the success that is predicted before they are played, from the results of levels like them
 * (kernelAverage.ts): those that are neither sure to be solved nor sure to fail. Nothing is trained; what was played lately is
 * the context. Where credit has a critic, its V at the start of a task is judged beside the prediction. Own rule: of the paper the predictor was read, which is a large network, and no rule for the budget.
 */
export const predicted = defineTaskSource({
  id: 'predicted',
  title: 'Predicted success (V₀)',
  rev: 1,
  source: { title: 'V₀: predict success before rolling out; own rule', arxiv: '2602.03584', level: 'abstract' },
  formula: 'p̂ = (c·p̄ + Σ k·d^age·s) / (c + Σ k·d^age),  play max p̂(1 − p̂)',
  look: 'Levels that were never played are sorted by what they look like. The loss of the prediction falls below 0.69.',
  params,
  metrics: LOSSES,
  wantsOutcomes: true,
  asks: () => ['startValue'],
  warns: ({ candidates }) => (candidates === 1 ? 'predicts, but plays every level that is drawn' : null),
  state: ({ kept }) => ({ ...resultsState(kept), ...criticState, ...reliabilityState }),
  forgetsWith: ['kept'],
  next(state, context, rule) {
    const { P, G, levels, level, fresh, pick, update } = context;
    const results = resultsOf(state, update);
    const drawn = Array.from({ length: P * rule.candidates }, (_, k) => {
      const levelSeed = levels === 0 ? fresh(k) : level(pick(k));
      const p = predictedSuccess(descriptorOf(context, levelSeed), results, rule);
      return { levelSeed, p, worth: p * (1 - p), k };
    });
    // the first of equal ones, so that without results it is an even draw
    drawn.sort((a, b) => b.worth - a.worth || a.k - b.k);
    return drawn
      .slice(0, P)
      .map(({ levelSeed, p }) => ({ ...wholeTask(levelSeed, G), ...(results.length > 0 ? { expected: p } : {}) }));
  },
  report(state, outcomes, context, rule) {
    addExpected(state, outcomes);
    remember(state, outcomes, context, rule);
  },
  measure: (state) => lossesOf(state, LOSSES),
});
