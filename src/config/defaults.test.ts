import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeLink, encodeLink } from './link.ts';
import { configWith, defaultConfig, parseConfig, sameValue, SCHEMA_VERSION } from './schema.ts';
import { defaultsOfVersion, migrate, withLaterSettings } from './migrations.ts';

const DEFAULTS = join(import.meta.dirname, 'defaults');

// A released version's file may only gain fields. Changing a value in it changes the meaning of links out there.
test('the frozen defaults of the current version are the live defaults', async () => {
  const live = JSON.stringify(defaultConfig(), null, 1) + '\n';
  await expect(live).toMatchFileSnapshot(`./defaults/${SCHEMA_VERSION}.json`);
  expect(defaultsOfVersion(SCHEMA_VERSION)).toEqual(defaultConfig());
});

const valuesOf = (config: object, path = ''): [string, unknown][] =>
  Object.entries(config).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? valuesOf(value as object, `${path}${name}.`)
      : [[`${path}${name}`, value] as [string, unknown]],
  );

test('every value in the file of a released version is what a link of that version means', () => {
  const files = readdirSync(DEFAULTS).sort();
  expect(files).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, n) => `${n + 1}.json`));
  for (const file of files) {
    const frozen = valuesOf(JSON.parse(readFileSync(join(DEFAULTS, file), 'utf8')) as object);
    const meant = new Map(valuesOf(defaultsOfVersion(Number.parseInt(file, 10))));
    expect(frozen.length).toBeGreaterThan(150);
    expect(frozen.filter(([path, value]) => !sameValue(meant.get(path), value))).toEqual([]);
  }
});

test('the defaults of every version, carried up, are those of today where no default was changed', () => {
  expect(migrate(defaultsOfVersion(2), 2)).toEqual(defaultConfig());
  const next = new Map(valuesOf(defaultsOfVersion(2)));
  const changed = valuesOf(defaultsOfVersion(1)).filter(([path, value]) => !sameValue(next.get(path), value));
  expect(changed).toEqual([['advantage.graphGpo.decay', 0.1]]);
});

test('the defaults are a valid config, and a checked config checks again to itself', () => {
  const once = parseConfig(defaultConfig());
  expect(once).toEqual({ ok: true, value: defaultConfig() });
});

test('a config file of version 2, written out in full, says what it said: what it switched on is on, the rest is off', () => {
  const old = JSON.parse(readFileSync(join(DEFAULTS, '2.json'), 'utf8')) as Record<string, Record<string, unknown>>;
  expect(withLaterSettings(old)).toEqual(defaultConfig());
  Object.assign(old['objective']!, {
    klStop: 0.05,
    entropyTarget: 0,
    reset: 'stalled',
    resetEvery: 7,
    klControl: 'safe',
  });
  Object.assign(old['advantage']!, { matched: true });
  expect(withLaterSettings(old)).toEqual(
    configWith({
      ...{ 'control.klStop.on': true, 'control.klStop.limit': 0.05, 'control.safe.on': true },
      ...{ 'control.resetStalled.on': true, 'control.resetEvery.updates': 7, 'revise.matchSize.on': true },
    }),
  );
});

test('what version 2 never could say about a controller is refused as it was then, and is not taken for off', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['klTarget', -1],
    ['klTarget', 'x'],
    ['klTarget', null],
    ['entropyTarget', []],
    ['klStop', false],
    ['klControl', 'nonsense'],
    ['klControl', true],
    ['reset', 'foo'],
    ['reset', 1],
  ];
  for (const [name, value] of wrong) {
    const old = structuredClone(defaultsOfVersion(2)) as unknown as Record<string, Record<string, unknown>>;
    old['objective']![name] = value;
    const read = parseConfig(withLaterSettings(old));
    expect(read.ok, `${name} ${JSON.stringify(value)}`).toBe(false);
  }
});

test('a config file that has only some settings of version 2 is one of version 2', () => {
  for (const [slot, name, value, moved] of [
    ['objective', 'klStop', 0.1, { control: { klStop: { on: true, limit: 0.1 } } }],
    ['advantage', 'matched', true, { revise: { matchSize: { on: true } } }],
  ] as const) {
    const file = structuredClone(defaultConfig()) as unknown as Record<string, Record<string, unknown>>;
    delete file['control'];
    delete file['revise'];
    file[slot]![name] = value;
    const read = parseConfig(withLaterSettings(file));
    expect(read.ok, name).toBe(true);
    expect(read.ok && read.value, name).toMatchObject(moved);
  }
});

test('a file of version 2 in which a group is none is refused in words, whatever else it holds', () => {
  for (const broken of [{ control: { adaptiveKl: 3 } }, { revise: 5 }, { control: [] }]) {
    const read = parseConfig(withLaterSettings({ ...structuredClone(defaultsOfVersion(2)), ...broken }));
    expect(read.ok, JSON.stringify(broken)).toBe(false);
  }
});

test('the longest fork of version 2 fits under the names of today, also in a link made anew', () => {
  const was = {
    'objective.klStop': 0.1,
    'objective.entropyTarget': 0.5,
    'objective.reset': 'every',
    'advantage.matched': true,
  };
  const stages = Array.from({ length: 8 }, (_, k) => ({
    at: k + 1,
    was: { ...was, 'objective.klTarget': 0.25, 'objective.klPreview': true },
  }));
  const text = JSON.stringify(stages);
  expect(text.length).toBeLessThanOrEqual(2000);
  const old = structuredClone(defaultsOfVersion(2)) as unknown as Record<string, Record<string, unknown>>;
  old['run'] = { ...old['run'], fork: text, updates: 100 };
  const read = parseConfig(withLaterSettings(old));
  expect(read.ok).toBe(true);
  if (!read.ok) return;
  expect((read.value.run['fork'] as string).length).toBeGreaterThan(2000);
  const again = decodeLink(encodeLink({ config: read.value }));
  expect(again.ok && again.value.config).toEqual(read.value);
});

test('every default config is a copy down to its lists: whoever changes one changes no other', () => {
  const before = JSON.stringify(defaultConfig());
  const spoil = (value: Record<string, unknown>): void => {
    for (const [name, inner] of Object.entries(value)) {
      if (Array.isArray(inner)) inner.push(1);
      else if (typeof inner === 'object') spoil(inner as Record<string, unknown>);
      else value[name] = null;
    }
  };
  spoil(defaultConfig());
  expect(JSON.stringify(defaultConfig())).toBe(before);
});
