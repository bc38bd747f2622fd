import { wholeTask } from '../../../contract/taskContext.ts';
import { settings } from '../../../core/settings.ts';
import { defineTaskSource, type SourceContext, type SourceState } from '../types.ts';
import { logLoss, predictedSuccess, type Result } from './kernelAverage.ts';

/** Numbers that tell what a level is like. */
const D = 4;

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

/** What a level is like: shortest solution, width and height of its picture, share of walls. */
function descriptorOf({ world }: SourceContext, levelSeed: number): readonly number[] {
  if (!world) return [0, 0, 0, 0];
  const { env } = world;
  const level = world.level(levelSeed);
  const known = described.get(level);
  if (known) return known;
  const state = new Uint32Array(env.words);
  env.reset(level, state, 0);
  const lines = env.text(level, state, 0).split('\n');
  const all = lines.join('');
  const walls = [...all].filter((cell) => cell === '#').length / Math.max(1, all.length);
  const path = env.shortestPath(level)?.length ?? world.T;
  const phi = [path, Math.max(...lines.map((line) => line.length)), lines.length, walls];
  described.set(level, phi);
  return phi;
}

/** Of levels while they are kept; a pure function of each. */
const described = new WeakMap<object, readonly number[]>();

function resultsOf({ phi, success, at }: SourceState, update: number): Result[] {
  const found: Result[] = [];
  for (let j = 0; j < at!.length; j++)
    if (at![j]! > 0)
      found.push({ phi: phi!.subarray(j * D, (j + 1) * D), success: success![j]!, age: update + 1 - at![j]! });
  return found;
}

/**
 * Levels are chosen by the success that is predicted before they are played, from the results of levels like them
 * (kernelAverage.ts): those that are neither sure to be solved nor sure to fail. Nothing is trained; what was played lately is
 * the context. Own rule: of the paper the predictor was read, which is a large network, and no rule for the budget.
 */
export const predicted = defineTaskSource({
  id: 'predicted',
  title: 'Predicted success (V₀)',
  rev: 1,
  source: { title: 'V₀: predict success before rolling out; own rule', arxiv: '2602.03584', level: 'abstract' },
  formula: 'p̂ = (c·p̄ + Σ k·d^age·s) / (c + Σ k·d^age),  play max p̂(1 − p̂)',
  look: 'Levels that were never played are sorted by what they look like. The loss of the prediction falls below 0.69.',
  params,
  metrics: ['predictionLoss', 'meanLoss'],
  wantsOutcomes: true,
  warns: ({ candidates }) => (candidates === 1 ? 'predicts, but plays every level that is drawn' : null),
  state: ({ kept }) => ({
    phi: { type: 'f64', per: 'replica', width: kept * D, onFork: ['tasks'] },
    success: { type: 'f64', per: 'replica', width: kept, onFork: ['tasks'] },
    // 1 + the update of a result; 0: none
    at: { type: 'u32', per: 'replica', width: kept, onFork: ['tasks'] },
    // results so far, and the losses of the last update: of p̂, and of the mean
    told: { type: 'f64', per: 'replica', width: 3, onFork: ['tasks'] },
  }),
  forgetsWith: ['kept'],
  next(state, context, rule) {
    const { P, G, levels, level, fresh, pick, update } = context;
    const results = resultsOf(state, update);
    const drawn = Array.from({ length: P * rule.candidates }, (_, k) => {
      const levelSeed = levels === 0 ? fresh(k) : level(pick(k));
      const p = predictedSuccess(descriptorOf(context, levelSeed), results, rule);
      return { levelSeed, worth: p * (1 - p), k };
    });
    // the first of equal ones, so that without results it is an even draw
    drawn.sort((a, b) => b.worth - a.worth || a.k - b.k);
    return drawn.slice(0, P).map(({ levelSeed }) => wholeTask(levelSeed, G));
  },
  report(state, outcomes, context, rule) {
    const { phi, success, at, told } = state as Required<SourceState>;
    const results = resultsOf(state, context.update);
    const mean = results.reduce((sum, r) => sum + r.success, 0) / results.length;
    const played = outcomes.filter(({ tries }) => tries > 0);
    const lossOf = (p: (levelSeed: number) => number): number =>
      played.reduce((sum, o) => sum + logLoss(p(o.task.levelSeed), o.success), 0) / played.length;
    told![1] = lossOf((seed) => predictedSuccess(descriptorOf(context, seed), results, rule));
    told![2] = lossOf(() => (results.length > 0 ? mean : 0.5));
    for (const outcome of played) {
      const j = told![0]! % at!.length;
      phi!.set(descriptorOf(context, outcome.task.levelSeed), j * D);
      [success![j], at![j]] = [outcome.success, context.update + 1];
      told![0]!++;
    }
  },
  measure: ({ told }): Readonly<Record<string, number>> =>
    told![0]! > 0 ? { predictionLoss: told![1]!, meanLoss: told![2]! } : {},
});
