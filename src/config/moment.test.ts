import { expect, test } from 'vitest';
import type { AnyValues } from '../core/settings.ts';
import { decodeLink, encodeLink } from './link.ts';
import { expectedOf, EXPECTED_POINTS, packMoment, readExpected, readMoment, valuesOf, type Moment } from './moment.ts';
import { defaultConfig } from './schema.ts';

const config = defaultConfig();
const moment: Moment = {
  update: 57,
  replica: 2,
  trajectory: 11,
  step: 7,
  tab: 'charts',
  overlay: 'credit',
  dock: 'inside',
  credit: 'step',
  compared: { page: 'strips', methods: null },
};
const expected = { updates: 57, curve: '05az' };

test('a link holds the moment and the expected curve, and one without them is the same text as ever', () => {
  expect(decodeLink(encodeLink({ config, moment, expected }))).toEqual({
    ok: true,
    value: { config, moment, expected },
  });
  expect(decodeLink(encodeLink({ config }))).toEqual({ ok: true, value: { config } });
  // the comparison, with the settings of its estimators
  const gigpo = { id: 'gigpo', params: { ...(config.advantage['gigpo'] as AnyValues), omega: 0.25 } };
  const methods = [gigpo, { id: 'grpo', params: config.advantage['grpo'] as AnyValues }];
  const comparing: Moment = { ...moment, credit: 'compare', compared: { page: 'points', methods } };
  expect(decodeLink(encodeLink({ config, moment: comparing }))).toEqual({
    ok: true,
    value: { config, moment: comparing },
  });
  expect(packMoment(comparing)).toMatchObject({ p: 'points', a: [['gigpo', { omega: 0.25 }], 'grpo'] });
  const most = { updates: 20_000, curve: 'z'.repeat(EXPECTED_POINTS) };
  expect(encodeLink({ config, moment, expected: most }).length).toBeLessThan(260);
});

test('a moment or a curve that no run can have is refused in one sentence', () => {
  const good = { u: 1, r: 0, i: 0, s: 0, t: 'watch', o: 'policy' };
  // a link from before the dock and the credit were part of it
  expect(readMoment(good)).toMatchObject({
    ok: true,
    value: { dock: 'episodes', credit: null, compared: { page: 'strips', methods: null } },
  });
  // the newest fields are checked like all others
  const fits = { ...good, v: 'compare', p: 'map', a: ['salt', ['gigpo', { omega: 0.5 }]] };
  expect(readMoment(fits)).toMatchObject({
    ok: true,
    value: { compared: { page: 'map', methods: [{ id: 'salt' }, {}] } },
  });
  const foreign = [
    { p: 'numbers' },
    { p: ['map'] },
    { a: [] },
    { a: 'gigpo' },
    { a: ['nobody'] },
    { a: ['constructor'] },
  ];
  const settings = [
    { omega: 'x' },
    { omega: 1e9 },
    { none: 1 },
    5,
    null,
    JSON.parse('{"__proto__":{"omega":1}}') as unknown,
  ];
  const crowd = { a: ['gigpo', 'grpo', 'salt', 'rloo', 'hgpo'] };
  for (const bad of [...foreign, crowd, ...settings.map((given) => ({ a: [['gigpo', given]] }))])
    expect(readMoment({ ...fits, ...bad }), JSON.stringify(bad)).toMatchObject({ ok: false });
  const strange = [
    { d: '' },
    { d: null },
    { d: 5 },
    { v: 'toString' },
    { v: ['run'] },
    { v: '<b>' },
    { v: undefined, d: {} },
  ];
  const wrong = [{ u: -1 }, { u: 0.5 }, { u: 1e9 }, { r: '0' }, { t: 'javascript:' }, { o: '' }, { s: null }];
  for (const bad of [...wrong, ...strange])
    expect(readMoment({ ...good, ...bad }), JSON.stringify(bad)).toMatchObject({ ok: false });
  for (const bad of [[], null, 'u', 5, { ...good, extra: 1 }]) expect(readMoment(bad)).toMatchObject({ ok: false });
  for (const bad of [null, [], [5], [5, 'a'], [5, 'A0'], [5, '0'.repeat(49)], [-1, '00'], [5, '0<'], ['5', '00']])
    expect(readExpected(bad), JSON.stringify(bad)).toMatchObject({ ok: false });
});

test('a curve is thinned to few points and keeps its ends', () => {
  const long = Array.from({ length: 500 }, (_, k) => k / 499);
  const thin = expectedOf(long, 500)!;
  const values = valuesOf(thin);
  expect([values.length, values[0], values.at(-1)]).toEqual([EXPECTED_POINTS, 0, 1]);
  values.forEach((y, k) => expect(Math.abs(y - k / (EXPECTED_POINTS - 1))).toBeLessThan(0.02));
  expect(expectedOf([0.5], 1)).toBeNull();
  expect(expectedOf([NaN, 0.5, NaN], 3)).toBeNull();
});
