import { expect, test } from 'vitest';
import { defaultConfig, parseConfig } from './schema.ts';
import { defaultsOfVersion } from './migrations.ts';

// A released version's file may only gain fields. Changing a value in it changes the meaning of links out there.
test('the frozen defaults of the current version are the live defaults', async () => {
  await expect(JSON.stringify(defaultConfig(), null, 1) + '\n').toMatchFileSnapshot('./defaults/1.json');
  expect(defaultsOfVersion(1)).toEqual(defaultConfig());
});

test('the defaults are a valid config, and a checked config checks again to itself', () => {
  const once = parseConfig(defaultConfig());
  expect(once).toEqual({ ok: true, value: defaultConfig() });
});
