import { expect, test } from 'vitest';
import { changeBetween } from './changeBetween.ts';
import { readerOf } from './language.ts';
import { withNumber } from './Sliders.tsx';

const read = readerOf((column) => (column === 'planMask' ? 'no run marks plans' : null));
/** Where “|” stands, and the text without it. */
const cut = (text: string): [string, number] => [text.replace('|', ''), text.indexOf('|')];
const labels = (text: string): string[] => {
  const [plain, place] = cut(text);
  return read(plain)
    .offersAt(place)
    .offers.map(({ label }) => label);
};
const told = (text: string) => {
  const [plain, place] = cut(text);
  return read(plain).at(place);
};

const GIGPO = `let ω = 1 in 0…4, γ = 0.95
E = normalize(outcome, task) # the episode
E + ω × normalizeSets(returnsToGo(reward, γ), sets(state))`;

test('pieces of a text are colored by what they are, comments too', () => {
  const { pieces, text, faults } = read(GIGPO);
  expect(faults).toEqual([]);
  const kinds = new Map(pieces.map(({ from, to, kind }) => [text.slice(from, to), kind]));
  expect(kinds.get('let')).toBe('word');
  expect(kinds.get('in')).toBe('word');
  expect(kinds.get('ω')).toBe('name');
  expect(kinds.get('0.95')).toBe('number');
  expect(kinds.get('normalize')).toBe('operation');
  expect(kinds.get('outcome')).toBe('column');
  expect(kinds.get('# the episode')).toBe('comment');
});

test('a number with a range has a slider, which writes into the text', () => {
  const { sliders, text } = read(GIGPO);
  expect(sliders).toMatchObject([{ name: 'ω', value: 1, low: 0, high: 4 }]);
  expect(withNumber(text, sliders[0]!, 2.52)).toBe(text.replace('ω = 1 ', 'ω = 2.52 '));
  const negative = read('let k = 0 in −1…1\nk × outcome');
  const moved = withNumber(negative.text, negative.sliders[0]!, -0.5);
  expect(moved).toBe('let k = −0.5 in −1…1\nk × outcome');
  expect(read(moved).sliders).toMatchObject([{ value: -0.5 }]);
});

test('a fault has a place, a message and a hint; an empty text has none', () => {
  const { faults, text } = read('normalise(outcome, task)');
  expect(faults).toHaveLength(1);
  expect(text.slice(faults[0]!.from, faults[0]!.to)).toBe('normalise');
  expect(faults[0]!.hint).toContain('normalize');
  expect(read('"quoted"').faults).toHaveLength(1);
  for (const empty of ['', ' \n', '# nothing yet']) expect(read(empty).faults).toEqual([]);
});

test('a text that no link could hold is kept as it is, with one sentence about its length', () => {
  const text = 'x'.repeat(50_000);
  const { faults, at, offersAt } = read(text);
  expect(faults).toHaveLength(1);
  expect(faults[0]!.message).toContain('50000 characters');
  expect(at(text.length)).toBeNull();
  expect(offersAt(text.length).from).toBeGreaterThan(0);
});

test('what stands at a place is told with its type, also beside brackets', () => {
  expect(told('norm|alize(outcome, task)')).toMatchObject({ type: 'one number per episode' });
  expect(told('normalize(outcome|, task)')).toMatchObject({ name: 'outcome', type: 'one number per episode' });
  expect(told('normalize(reward, t|ask)')).toMatchObject({ type: 'over of normalize' });
  expect(told('E = outcome\n|E × reward')).toMatchObject({ name: 'E', type: 'one number per episode' });
  expect(told('outcome |× reward')).toMatchObject({ type: 'one number per step' });
  // also where the text as a whole has a fault
  expect(told('returnsToGo(re|ward, )')).toMatchObject({ name: 'reward', type: 'one number per step' });
  expect(told('   |   ')).toBeNull();
});

test('what fits is offered: words where a word is asked for, else names, columns and operations', () => {
  expect(labels('normalize(outcome, |')).toEqual(['task', 'batch', 'player', ...BY, 'trajectories', 'steps']);
  expect(labels('normalize(outcome, task, st|')).toEqual([...BY, 'trajectories', 'steps']);
  const all = labels('let ω = 1 in 0…4\nE = normalize(outcome, task)\nE + |');
  expect(all.slice(0, 2)).toEqual(['ω', 'E']);
  expect(all).toEqual(expect.arrayContaining(['reward', 'returnsToGo', 'gamma']));
  expect(all).not.toContain('let');
  expect(labels('|')).toEqual(expect.arrayContaining(['let', 'part']));
});
const BY = ['std', 'mean', 'leaveOneOut', 'leaveOneOutStd', 'comparable', 'average', 'alone'];

test('a column that the experiment does not have is offered with the reason', () => {
  const { offers } = read('').offersAt(0);
  expect(offers.find(({ label }) => label === 'planMask')).toMatchObject({ why: 'no run marks plans' });
  expect(offers.find(({ label }) => label === 'reward')).toMatchObject({ why: null });
});

test('no place of a text, however broken, makes the editor throw', () => {
  const bits = [
    'normalize(',
    ')',
    'outcome',
    ',',
    'let ',
    'ω',
    '=',
    ' in ',
    '0…4',
    '\n',
    '"',
    '(',
    '#',
    '×',
    'part ',
    ':',
  ];
  let seed = 7;
  const draw = (n: number): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
  for (let k = 0; k < 300; k++) {
    const text = Array.from({ length: draw(12) }, () => bits[draw(bits.length)]!).join('');
    const reading = read(text);
    for (let place = 0; place <= text.length; place++) {
      reading.at(place);
      expect(reading.offersAt(place).from).toBeLessThanOrEqual(place);
    }
    for (const { from, to } of [...reading.faults, ...reading.pieces]) {
      expect(from).toBeLessThanOrEqual(to);
      expect(to).toBeLessThanOrEqual(text.length);
    }
  }
});

test('only what differs between two texts is replaced', () => {
  for (const [a, b] of [
    ['ω = 1 in', 'ω = 1.5 in'],
    ['aaa', 'aa'],
    ['', 'new'],
    ['old', ''],
    ['same', 'same'],
  ] as const) {
    const { from, to, insert } = changeBetween(a, b);
    expect(a.slice(0, from) + insert + a.slice(to)).toBe(b);
  }
  expect(changeBetween('ω = 1 in', 'ω = 2 in')).toEqual({ from: 4, to: 5, insert: '2' });
});
