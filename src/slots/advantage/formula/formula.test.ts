import { expect, test } from 'vitest';
import { creditOpsOf, dataOf } from '../creditOps.ts';
import { sampleBatch } from '../sampleBatch.ts';
import { evaluate } from './evaluate.ts';
import { faultText, lineOf, readFormula, withSlider, type Formula } from './formula.ts';
import { operations } from './operations.ts';
import { formulaColumns } from './columns.ts';

function read(text: string): Formula {
  const reading = readFormula(text);
  if (!reading.ok) throw new Error(faultText(text, reading.faults[0]));
  return reading.formula;
}
/** The first fault: the text it points at, and the sentence. */
function fault(text: string): readonly [string, string] {
  const reading = readFormula(text);
  if (reading.ok) return ['', ''];
  const [one] = reading.faults;
  return [text.slice(...one.at), faultText(text, one)];
}

// two episodes of one task, one of another; the state 7 is met three times
const batch = sampleBatch([
  { reward: [0, 1], state: [7, 8] },
  { reward: [0, 0], state: [7, 7] },
  { task: 1, reward: [0.5], state: [7] },
]);
const credit = (text: string): number[] => [...dataOf(evaluate(read(text), creditOpsOf(batch)).A)];

test('GRPO is one line', () => {
  // returns 1 and 0: mean ½, sample std √½; the episode alone with its task gets 0, and its second step is padding
  const a = 0.5 / (Math.SQRT1_2 + 1e-6);
  expect(credit('normalize(outcome, task)')).toEqual([a, a, -a, -a, 0, 0].map(Math.fround));
});

test('GiGPO is three lines with a slider, and its parts have names', () => {
  const formula = read(`
    let ω = 0.5 in 0…4
    part episode = normalize(outcome, task)
    part step = ω × normalizeSets(returnsToGo(reward, 0.5), sets(state))
  `);
  expect(formula.parts.map(({ name }) => name)).toEqual(['episode', 'step']);
  expect(formula.sliders).toMatchObject([{ name: 'ω', value: 0.5, min: 0, max: 4 }]);
  expect([...formula.needs].sort()).toEqual(['length', 'outcome', 'reward', 'stateKey', 'taskIndex']);
  const { A, parts } = evaluate(formula, creditOpsOf(batch));
  // what followed state 7: ½, 0 and 0: mean 1/6, std 0.2887
  const std = Math.sqrt(1 / 12) + 1e-6;
  const expected = [1 / 3 / std, 0, -1 / 6 / std, -1 / 6 / std, 0, 0].map((x) => x / 2);
  [...dataOf(parts!['step']!)].forEach((x, k) => expect(x).toBeCloseTo(expected[k]!, 6));
  dataOf(A).forEach((x, k) => expect(x).toBeCloseTo(dataOf(parts!['episode']!)[k]! + expected[k]!, 6));
});

test('arithmetic on numbers, episodes and steps, by hand', () => {
  expect(credit('2 × outcome + 1')).toEqual([3, 3, 1, 1, 2, 0]);
  expect(credit('reward - 0.5*outcome')).toEqual([-0.5, 0.5, 0, 0, 0.25, 0]);
  expect(credit('where(outcome > 0, reward, −1)')).toEqual([0, 1, -1, -1, 0.5, 0]);
  expect(credit('outcome ÷ reward')).toEqual([0, 1, 0, 0, 1, 0]);
  expect(credit('max(reward, 0.25) ≥ outcome')).toEqual([0, 1, 1, 1, 1, 0]);
  expect(credit('-(1 + 2) × 2 + 6 / 3')).toEqual([-4, -4, -4, -4, -4, 0]);
  expect(credit('following(reward)')).toEqual([1, 0, 0, 0, 0, 0]);
  expect(credit('(reward == 1) + (reward != 1)')).toEqual([1, 1, 1, 1, 1, 0]);
});

test('lines go on after an operator, in brackets and before an operator; comments and semicolons', () => {
  const same = [
    'G = returnsToGo(reward)\nG + outcome',
    'G = returnsToGo(reward); G + outcome # why',
    'G = returnsToGo(\n reward\n)\nA = G +\n outcome',
    '// sum\nG = returnsToGo(reward)\nG\n  + outcome',
  ];
  for (const text of same) expect(credit(text)).toEqual(credit(same[0]!));
});

test('named arguments take any place, and names of columns and settings are free of keyboards', () => {
  expect(credit('let omega = 2 in 0..4, gamma = 0.5 in 0..1\nomega*returnsToGo(γ: gamma, x: reward)')).toEqual([
    1, 2, 0, 0, 1, 0,
  ]);
});

test.each([
  [
    'normalise(outcome, task)',
    'normalise',
    'line 1, column 1: there is no operation normalise; did you mean normalize',
  ],
  ['normalize(outcom, task)', 'outcom', 'line 1, column 11: outcom is not known here; did you mean outcome'],
  ['normalize(outcome, tusk)', 'tusk', 'did you mean task'],
  ['normalize(outcome)', 'normalize', 'normalize needs over: task, batch, player'],
  ['returnsToGo(reward, 2)', '2', 'γ of returnsToGo has to be between 0 and 1'],
  ['returnsToGo(reward, reward)', 'reward', 'γ of returnsToGo has to be a number'],
  ['sets(state)', 'sets(state)', 'the credit is one number per step, and this is sets of steps'],
  ['lead(reward)', 'reward', 'lead takes one number per episode, and this is one number per step'],
  [
    'normalizeSets(reward, reward)',
    'reward',
    'normalizeSets takes sets of steps as sets, and this is one number per step',
  ],
  ['sets(state, past: 0.5)', '0.5', 'past of sets has to be a whole number'],
  ['', '', 'the formula gives no credit'],
  ['reward\noutcome', 'outcome', 'the credit is given twice'],
  ['part a = reward\nreward', 'reward', 'the credit of a formula with parts is their sum'],
  ['let ω = 5 in 0…4\nω × reward', '5', '5 is not between 0 and 4'],
  ['let ω = reward in 0…4', 'in', 'only a number has a slider'],
  ['reward = 1', 'reward', 'reward is a column of the batch'],
  ['G = reward\nG = outcome\nG', 'G', 'G has a meaning already'],
  ['reward ^ 2', '^', 'write x × x'],
  ['reward +', '', 'is expected here, not the end'],
  ['(reward', '', '“)” is expected here, not the end'],
  ['a < b < c', '<', 'two comparisons in a row'],
  ['1 / 0 × log(0)', 'log(0)', 'not a finite number'],
  ['reward(2)', 'reward', 'reward is not an operation'],
  ['"task"', '"', 'a formula has no texts'],
  ['gae(0.9, 0.9, cut: bootstap)', 'bootstap', 'did you mean bootstrap'],
  ['returnsToGo(reward, gama: 0.9)', 'gama', 'returnsToGo has no gama'],
])('%s: one sentence at the place of the fault', (text, at, sentence) => {
  const [where, said] = fault(text);
  expect(said).toContain(sentence);
  expect(where).toBe(at);
});

test('a formula that is too long, too large or too deep is refused before anything is made of it', () => {
  expect(fault('reward '.repeat(300))[1]).toContain('at most 2000');
  expect(fault(`reward${'+1'.repeat(250)}`)[1]).toContain('more than 400 pieces');
  expect(fault('('.repeat(900))[1]).toContain('more than 40 brackets');
  expect(fault('−'.repeat(900))[1]).toContain('more than 40 brackets');
});

test('the example of every operation is well typed and uses it', () => {
  for (const { name, example, result, doc } of operations) {
    const reading = readFormula(result === 'sets' || result === 'levels' ? example : `reward + 0 × (${example})`);
    expect(reading.ok ? '' : `${name}: ${faultText(example, reading.faults[0])}`).toBe('');
    expect(name === 'negative' || example.includes(name)).toBe(true);
    expect(doc.length).toBeGreaterThan(8);
  }
});

test('columns come from the table: numbers, and never labels or keys', () => {
  const names = formulaColumns.map(({ name }) => name);
  for (const name of [
    'reward',
    'outcome',
    'logp',
    'entropy',
    'value',
    'logpPhi',
    'novel',
    'grounded',
    'phi',
    'length',
    'success',
    'greedyReturn',
    'scoreNorm',
  ])
    expect(names).toContain(name);
  for (const name of ['action', 'taskIndex', 'stateKey', 'levelSeed', 'obs', 'credit', 'role'])
    expect(names).not.toContain(name);
});

test('a slider moves the number in the text, and nothing else', () => {
  const text = 'let ω = 1 in −1…4 # weight\nω × reward';
  expect(withSlider(text, 'ω', 2.5)).toBe('let ω = 2.5 in −1…4 # weight\nω × reward');
  expect(withSlider(withSlider(text, 'ω', -0.5), 'ω', 1)).toBe(text);
  expect(withSlider(text, 'γ', 2)).toBe(text);
  expect(lineOf('a\nbc', 3)).toEqual({ line: 2, column: 2 });
});
