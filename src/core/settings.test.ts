import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultsOf, parse, settings, settingsSchema } from './settings.ts';

const record = settings({
  gamma: { kind: 'number', label: 'γ', default: 0.95, min: 0, max: 1, doc: 'Discount.' },
  mode: { kind: 'choice', label: 'Mode', default: 'std', options: ['std', 'mean'], doc: 'Mode.' },
  on: { kind: 'switch', label: 'On', default: false, doc: 'Switch.' },
  hidden: {
    kind: 'integers',
    label: 'Hidden',
    default: [64],
    min: 1,
    max: 512,
    minItems: 1,
    maxItems: 6,
    doc: 'Widths.',
  },
  level: { kind: 'text', label: 'Level', default: 'S.G', maxLength: 20, doc: 'Text.' },
});
const schema = settingsSchema(record);

test('defaults parse, and what parses once parses again to the same', () => {
  const once = parse(schema, defaultsOf(record));
  expect(once).toEqual({ ok: true, value: defaultsOf(record) });
  if (once.ok) expect(parse(schema, once.value)).toEqual(once);
});

test('every issue is reported with its path', () => {
  const bad = parse(schema, { gamma: 2, mode: 'x', on: 1, hidden: [1.5], level: 'S.G' });
  expect(bad.ok).toBe(false);
  if (!bad.ok) expect(bad.issues.map((i) => i.path)).toEqual(['gamma', 'mode', 'on', 'hidden.0']);
});

test('unknown and forbidden names are refused and pollute nothing', () => {
  expect(parse(schema, { ...defaultsOf(record), extra: 1 }).ok).toBe(false);
  expect(parse(schema, JSON.parse('{"__proto__":{"x":1}}')).ok).toBe(false);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('no value whatever makes it throw', () => {
  fc.assert(fc.property(fc.anything(), (raw) => void parse(schema, raw)));
});
