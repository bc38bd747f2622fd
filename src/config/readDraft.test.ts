import { expect, test } from 'vitest';
import { problemText } from './problems.ts';
import { readDraft, steps } from './migrations.ts';
import { configWith, defaultConfig } from './schema.ts';

const config = configWith({ 'run.seeds': 2, 'advantage.method': 'rloo' });

test('a draft is read as it was saved, with its version and, from the first visits, without one', () => {
  expect(readDraft({ version: 1, config })).toEqual({ ok: true, value: config });
  expect(readDraft(config)).toEqual({ ok: true, value: config });
});

test('a draft from before a setting or a method existed gets their defaults', () => {
  const old = structuredClone(config) as unknown as Record<string, Record<string, unknown>>;
  delete old['run']!['backend'];
  delete old['advantage']!['gigpo'];
  expect(readDraft({ version: 1, config: old })).toEqual({ ok: true, value: config });
});

test('a draft of an older version goes through the migrations', () => {
  const old = configWith({ 'run.seeds': 3 });
  const chain = {
    ...steps,
    0: (c: Record<string, unknown>) => ({ ...c, run: { ...(c['run'] as object), seeds: 5 } }),
  };
  expect(readDraft({ version: 0, config: old }, chain)).toEqual({ ok: true, value: configWith({ 'run.seeds': 5 }) });
});

test('a draft without a version is of version 1: what it says of GraphGPO is kept where it is used', () => {
  const decay = (method: string) => {
    const read = readDraft(configWith({ 'advantage.method': method, 'advantage.graphGpo.decay': 0.1 }));
    return read.ok && (read.value.advantage['graphGpo'] as Record<string, unknown>)['decay'];
  };
  expect([decay('graphGpo'), decay('rloo')]).toEqual([0.1, 0.8]);
});

test('what cannot be read is refused in a sentence that names the field, and never throws', () => {
  const bad = configWith({ 'run.seeds': 'many' });
  const read = readDraft({ version: 1, config: bad });
  expect(read.ok).toBe(false);
  if (!read.ok) expect(problemText(read.problem).sentence).toMatch(/^Its field run\.seeds .*kept as it was\.$/);
  const newer = readDraft({ version: 99, config: defaultConfig() });
  expect(newer).toMatchObject({ ok: false, problem: { detail: expect.stringContaining('newer version') } });
  for (const text of [
    null,
    1,
    'draft',
    [],
    {},
    { version: 1 },
    { version: '1', config },
    { version: 1, config: [] },
    { ...config, advantage: 1 },
  ])
    expect(readDraft(text)).toMatchObject({ ok: false, problem: { kind: 'draftRejected' } });
});
