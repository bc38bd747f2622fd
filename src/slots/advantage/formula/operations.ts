import { exp, log } from '../../../core/fmath.ts';
import type { Column, CompareMode, Level, MapName, Rows, Sets, ZipName } from '../../types.ts';
import type { NormalizeMode } from '../../../core/stats.ts';
import type { Args, Operation, Parameter, Value } from './types.ts';

// the checker has seen to the types of all arguments
const col = (args: Args, name: string): Column => args[name] as Column;
const num = (args: Args, name: string): number => args[name] as number;
const word = <W extends string>(args: Args, name: string): W => args[name] as W;
const many = (args: Args, name: string): Value[] =>
  Object.keys(args).flatMap((key) => (key.startsWith(`${name} `) ? [args[key]!] : []));

const value = (name: string): Parameter => ({ name, type: 'value' });
const column = (name = 'x'): Parameter => ({ name, type: 'column' });
const step = (name = 'x'): Parameter => ({ name, type: 'step' });
const row = (name = 'x'): Parameter => ({ name, type: 'row' });
const oneOf = (name: string, ...words: readonly string[]): Parameter => ({
  ...{ name, type: 'word', words },
  default: words[0]!,
});
const given = (name: string, ...words: readonly string[]): Parameter => ({ name, type: 'word', words });
const between = (name: string, min: number, max: number, standard?: number): Parameter => ({
  ...{ name, type: 'number', min, max },
  ...(standard === undefined ? {} : { default: standard }),
});
const OVER = ['task', 'batch', 'player'] as const;
const ROWS = oneOf('rows', 'trajectories', 'steps');
const sets: Parameter = { name: 'sets', type: 'sets' };

/** Element-wise operations of two. */
function pair(name: string, f: ZipName, fold: (x: number, y: number) => number, doc: string): Operation {
  return {
    ...{ name, group: 'arithmetic', parameters: [value('x'), value('y')], result: 'widest', doc },
    example: /^\p{L}/u.test(name) ? `${name}(reward, 0)` : `outcome ${name} 0.5`,
    fold: fold as Operation['fold'] & object, // it is called with as many numbers as there are parameters
    run: (ops, args) => ops.zip(f, args['x'] as Column | number, args['y'] as Column | number),
  };
}
const bit = (holds: boolean): number => (holds ? 1 : 0);
/** What a comparison gives, by the sign of the one that says the opposite, or with its sides changed. */
function compared(
  name: string,
  doc: string,
  fold: (x: number, y: number) => boolean,
  run: Operation['run'],
): Operation {
  return { ...pair(name, 'less', (x, y) => bit(fold(x, y)), doc), run };
}
const side = (args: Args, name: string): Column | number => args[name] as Column | number;

/** Functions of one number. */
const mapped = (f: MapName, fold: (x: number) => number, doc: string): Operation => ({
  ...{ name: f, group: 'arithmetic', parameters: [value('x')], result: 'widest', doc },
  example: f === 'log' ? 'log(1 + entropy)' : `${f}(logp)`,
  fold,
  run: (ops, args) => ops.map(f, col(args, 'x')),
});

const arithmetic: readonly Operation[] = [
  pair('+', 'add', (x, y) => x + y, 'Sum. A number per episode counts for all its steps.'),
  pair('−', 'subtract', (x, y) => x - y, 'Difference.'),
  pair('×', 'multiply', (x, y) => x * y, 'Product. Between comparisons it means “and”.'),
  pair('÷', 'divide', (x, y) => (y === 0 ? 0 : x / y), 'Quotient; 0 where the divisor is 0.'),
  {
    ...{ name: 'negative', group: 'arithmetic', parameters: [value('x')], result: 'widest' },
    doc: 'A minus in front: −x.',
    example: '−logp',
    fold: (x) => -x!,
    run: (ops, args) => ops.zip('subtract', 0, side(args, 'x')),
  },
  pair('min', 'min', Math.min, 'The smaller of two.'),
  pair('max', 'max', Math.max, 'The larger of two. Between comparisons it means “or”.'),
  mapped('abs', Math.abs, 'Size without the sign.'),
  mapped('exp', exp, 'e to the power of x.'),
  mapped('log', log, 'Natural logarithm; x has to be above 0.'),
  mapped('logistic', (x) => 1 / (1 + exp(-x)), '1 / (1 + exp(−x)), between 0 and 1.'),
  pair('<', 'less', (x, y) => bit(x < y), '1 where the left side is smaller, else 0.'),
  pair('≤', 'lessEqual', (x, y) => bit(x <= y), '1 where the left side is not larger, else 0.'),
  compared(
    '>',
    '1 where the left side is larger, else 0.',
    (x, y) => x > y,
    (ops, args) => ops.zip('less', side(args, 'y'), side(args, 'x')),
  ),
  compared(
    '≥',
    '1 where the left side is not smaller, else 0.',
    (x, y) => x >= y,
    (ops, args) => ops.zip('lessEqual', side(args, 'y'), side(args, 'x')),
  ),
  pair('=', 'equal', (x, y) => bit(x === y), '1 where both sides are equal, else 0.'),
  compared(
    '≠',
    '1 where the sides differ, else 0.',
    (x, y) => x !== y,
    (ops, args) => ops.zip('subtract', 1, ops.zip('equal', side(args, 'x'), side(args, 'y'))),
  ),
  {
    ...{ name: 'where', group: 'arithmetic', parameters: [value('condition'), value('a'), value('b')] },
    ...{ result: 'widest', doc: 'a where the condition is not 0, else b.', example: 'where(outcome > 0, reward, 0)' },
    fold: (condition, a, b) => (condition !== 0 ? a! : b!),
    run(ops, args) {
      const [condition, a, b] = [side(args, 'condition'), side(args, 'a'), side(args, 'b')];
      if (typeof condition !== 'number')
        return ops.zip('add', ops.zip('keepIf', condition, a), ops.zip('keepUnless', condition, b));
      const [chosen, other] = condition !== 0 ? [a, b] : [b, a];
      // as wide as the wider of both
      return typeof other === 'number' ? chosen : ops.zip('add', chosen, ops.zip('multiply', 0, other));
    },
  },
];

const time: readonly Operation[] = [
  {
    ...{ name: 'returnsToGo', group: 'time', parameters: [step(), between('γ', 0, 1, 1)], result: 'step' },
    doc: 'Sum of x from this step to the end of the episode, discounted by γ per step.',
    example: 'returnsToGo(reward, 0.95)',
    run: (ops, args) => ops.returnsToGo(col(args, 'x'), num(args, 'γ')),
  },
  {
    name: 'gae',
    group: 'time',
    parameters: [between('γ', 0, 1, 0.99), between('λ', 0, 1, 0.95), oneOf('cut', 'bootstrap', 'zero', 'egae')],
    result: 'step',
    doc: 'Generalized advantage of the critic, not whitened; it also sets what the critic learns.',
    example: 'gae(0.99, 0.95)',
    reads: () => ['reward', 'value', 'valueFinal', 'terminated'],
    run: (ops, args) => ops.tdSums(num(args, 'γ'), num(args, 'λ'), word(args, 'cut')).adv,
  },
  {
    ...{ name: 'following', group: 'time', parameters: [step()], result: 'step' },
    doc: 'x of the next step of the episode; 0 at its last step.',
    example: 'following(entropy)',
    run: (ops, args) => ops.following(col(args, 'x')),
  },
  {
    ...{ name: 'broadcast', group: 'time', parameters: [row()], result: 'step' },
    doc: 'A number per episode on each of its steps. It is done by itself where a step is needed.',
    example: 'broadcast(outcome)',
    run: (ops, args) => ops.broadcast(col(args, 'x')),
  },
];

const taskOf = (words: Readonly<Record<string, string>>): readonly ['taskIndex'] | readonly [] =>
  words['over'] === 'task' ? ['taskIndex'] : [];

const comparison: readonly Operation[] = [
  {
    name: 'normalize',
    group: 'comparison',
    parameters: [
      column(),
      given('over', ...OVER),
      oneOf('by', 'std', 'mean', 'leaveOneOut', 'leaveOneOutStd', 'comparable', 'average', 'alone'),
      ROWS,
    ],
    result: 'first',
    doc: 'Compares x within each task group, the batch, or each player: minus the mean, divided by the spread. A set that agrees gets 0.',
    example: 'normalize(outcome, task)',
    reads: taskOf,
    run: (ops, args) =>
      ops.normalize(col(args, 'x'), word(args, 'over'), word<CompareMode>(args, 'by'), word<Rows>(args, 'rows')),
  },
  {
    ...{ name: 'mean', group: 'comparison', parameters: [column(), given('over', ...OVER), ROWS], result: 'first' },
    doc: 'Mean of x over each task group, the batch, or each player.',
    example: 'outcome − mean(outcome, task)',
    reads: taskOf,
    run: (ops, args) => ops.normalize(col(args, 'x'), word(args, 'over'), 'average', word<Rows>(args, 'rows')),
  },
  {
    ...{ name: 'normalizeMeans', group: 'comparison', parameters: [row()], result: 'row' },
    doc: 'Compares the means of the task groups with one another, each group once.',
    example: 'normalizeMeans(outcome)',
    reads: () => ['taskIndex'],
    run: (ops, args) => ops.normalizeMeans(col(args, 'x')),
  },
  {
    name: 'overSpread',
    group: 'comparison',
    parameters: [column(), column('of'), oneOf('over', 'batch', 'task'), ROWS],
    result: 'first',
    doc: 'x divided by the spread of another column over the batch or each task group; 0 where that agrees.',
    example: 'overSpread(normalize(outcome, task, mean), outcome)',
    reads: taskOf,
    run: (ops, args) => ops.overSpread(col(args, 'x'), col(args, 'of'), word<Rows>(args, 'rows'), word(args, 'over')),
  },
  {
    ...{ name: 'unitRange', group: 'comparison', parameters: [column()], result: 'first' },
    doc: 'x moved and stretched so that the batch lies between 0 and 1; 0 where it agrees.',
    example: 'unitRange(entropy)',
    run: (ops, args) => ops.unitRange(col(args, 'x')),
  },
  {
    ...{ name: 'scaleByLargest', group: 'comparison', parameters: [step(), between('floor', 0, 1e6, 0)] },
    result: 'step',
    doc: 'x divided by the largest size in the batch; 0 everywhere where that is at most the floor.',
    example: 'scaleByLargest(logp)',
    run: (ops, args) => ops.scaleByLargest(col(args, 'x'), num(args, 'floor')),
  },
  {
    ...{ name: 'lead', group: 'comparison', parameters: [row()], result: 'row' },
    doc: 'How far an episode is ahead of the best other one of its task group; else 0.',
    example: 'lead(outcome)',
    reads: () => ['taskIndex'],
    run: (ops, args) => ops.lead(col(args, 'x')),
  },
];

const OF_SETS = {
  state: ['taskIndex', 'stateKey'],
  edge: ['taskIndex', 'stateKey', 'finalStateKey', 'action'],
  time: ['taskIndex'],
} as const;
/** (k + 1)^α, as HGPO weighs its levels. */
const growing = (k: number, alpha: number): number => exp(alpha * log(k + 1));

const ofSets: readonly Operation[] = [
  {
    name: 'sets',
    group: 'sets',
    parameters: [given('of', 'state', 'edge', 'time'), { ...between('past', 0, 64, 0), isWhole: true }],
    result: 'sets',
    doc: 'Steps of a task group in the same state, on the same edge (state, action, next state), or equally far from the start. past: how many states, or pairs, before it agree too.',
    example: 'normalizeSets(reward, sets(state, past: 1))',
    reads: ({ of }) => OF_SETS[of as keyof typeof OF_SETS],
    run: (ops, args) => ops.sets({ of: word(args, 'of'), past: num(args, 'past') }),
  },
  {
    name: 'normalizeSets',
    group: 'sets',
    parameters: [step(), sets, oneOf('by', 'std', 'mean'), oneOf('spread', 'sample', 'population')],
    result: 'step',
    doc: 'Compares x within the set of each step. A set of one, or that agrees, gets 0.',
    example: 'normalizeSets(returnsToGo(reward, 0.95), sets(state))',
    run: (ops, args) =>
      ops.normalizeSets(
        col(args, 'x'),
        args['sets'] as Sets,
        word<NormalizeMode>(args, 'by'),
        args['spread'] === 'population',
      ),
  },
  {
    ...{ name: 'meanOver', group: 'sets', parameters: [step(), sets, oneOf('count', 'visit', 'trajectory')] },
    result: 'step',
    doc: 'Mean of x over the set of each step: every visit counts, or each episode at its first visit.',
    example: 'meanOver(normalize(outcome, task), sets(edge))',
    run: (ops, args) => ops.meanOver(col(args, 'x'), args['sets'] as Sets, word(args, 'count')),
  },
  {
    ...{ name: 'level', group: 'sets', parameters: [sets, between('weight', 0, 1e6, 1)], result: 'levels' },
    doc: 'Sets that count with a weight among several.',
    example: 'overLevels(reward, level(sets(state), 1), level(sets(time), 0.5))',
    run: (_ops, args) => [{ sets: args['sets'] as Sets, w: num(args, 'weight') }],
  },
  {
    name: 'levels',
    group: 'sets',
    parameters: [{ ...between('K', 0, 8), isWhole: true }, between('α', 0, 4, 1)],
    result: 'levels',
    doc: 'Sets of equal states with 0 to K equal states before, each weighed (k + 1)^α.',
    example: 'overLevels(returnsToGo(reward, 0.95), levels(2))',
    reads: () => OF_SETS.state,
    run: (ops, args) =>
      Array.from({ length: num(args, 'K') + 1 }, (_, k): Level => {
        return { sets: ops.sets({ of: 'state', past: k }), w: growing(k, num(args, 'α')) };
      }),
  },
  {
    name: 'overLevels',
    group: 'sets',
    parameters: [step(), { name: 'levels', type: 'levels', isMany: true }, oneOf('by', 'std', 'mean')],
    result: 'step',
    doc: 'Compares x within the set of each step on every level; the weighted mean over the levels that can be compared.',
    example: 'overLevels(returnsToGo(reward), levels(2))',
    run(ops, args) {
      const levels = many(args, 'levels').flatMap((value) => value as readonly Level[]);
      const { credit, weight } = ops.overLevels(col(args, 'x'), levels, word<NormalizeMode>(args, 'by'));
      return ops.zip('divide', credit, weight);
    },
  },
];

const ofBatch: readonly Operation[] = [
  {
    ...{ name: 'endShare', group: 'batch', parameters: [], result: 'row', example: 'endShare()' },
    doc: 'Share of the task group that ended in the same state as this episode.',
    reads: () => ['taskIndex', 'finalStateKey'],
    run: (ops) => ops.endShare(),
  },
  {
    ...{ name: 'branches', group: 'batch', parameters: [], result: 'step', example: 'branches()' },
    doc: '1 at steps whose state leads to two others, or to one and a success, that no state leads to as soon.',
    reads: () => ['taskIndex', 'stateKey', 'finalStateKey', 'success'],
    run: (ops) => ops.branches(),
  },
  {
    name: 'rewardPart',
    group: 'batch',
    parameters: [{ ...between('k', 0, 3), isWhole: true }],
    result: 'row',
    doc: 'What one part of the reward paid an episode: 0 the world, 1 to 3 the reward modules.',
    example: 'rewardPart(0)',
    reads: () => ['rewardParts'],
    run: (ops, args) => ops.rewardParts[num(args, 'k')]!,
  },
];

/** Every operation of the language, in the order of the docs. */
export const operations: readonly Operation[] = [...arithmetic, ...time, ...comparison, ...ofSets, ...ofBatch];

const byName = new Map(operations.map((operation) => [operation.name, operation]));
export const operationNamed = (name: string): Operation | undefined => byName.get(name);

/** A number for every step; written into formulas where a column has to stand. */
export const constant: Operation = {
  ...{ name: 'constant', group: 'time', parameters: [{ name: 'x', type: 'number' }], result: 'step' },
  doc: '',
  example: '',
  run: (ops, args) => ops.zip('add', num(args, 'x'), 0),
};
