import { expect, test, vi } from 'vitest';
import { settings } from '../core/settings.ts';
import { decodeLink, encodeLink } from './link.ts';
import { withLaterSettings } from './migrations.ts';
import { checkRules } from './rules.ts';
import { actingIn, configWith, defaultConfig, fields, isActive, setValue } from './schema.ts';
import { slots } from './slots.ts';

vi.mock('../slots/registry.ts', async (original) => {
  const form = (id: string, more: object): object => ({
    ...{ id, title: id.toUpperCase(), rev: 1, look: `What ${id} shows.` },
    ...{ params: settings({ w: { kind: 'number', label: 'Weight', default: 0.5, min: 0, max: 2, doc: 'How much.' } }) },
    ...more,
  });
  const real: Record<string, unknown> = await original();
  const onGpu = (values: { w: number }): boolean => values.w < 1;
  return {
    ...real,
    rewards: [form('plain', {}), form('fast', { gpu: () => null, onGpu }), form('later', { needs: ['planMask'] })],
  };
});

const reward = slots.find((s) => s.id === 'reward')!;
const on = (id: string, more: object = {}) => configWith({ [`reward.${id}.on`]: true, ...more });

test('a module of a stack that is off adds nothing to a link; one that is on comes back with its settings', () => {
  expect(encodeLink({ config: defaultConfig() })).toContain('.j.eyJjIjp7fX0.'); // {"c":{}}
  const config = on('plain', { 'reward.plain.w': 0.25 });
  const read = decodeLink(encodeLink({ config }));
  expect(read.ok && read.value.config).toEqual(config);
  expect(config.reward['plain']).toEqual({ on: true, w: 0.25 });
});

test('what acts in a slot is the chosen module, then those of its stack that are on, in the order of the registry', () => {
  const both = on('fast', { 'reward.plain.on': true });
  expect(actingIn(both, reward).map((a) => [a.module.id, a.path])).toEqual([
    ['grid', 'task.method'],
    ['plain', 'reward.plain.on'],
    ['fast', 'reward.fast.on'],
  ]);
  expect(actingIn(defaultConfig(), reward).map((a) => a.module.id)).toEqual(['grid']);
});

test('the form shows a switch for every module of a stack, and the settings of those that are on', () => {
  const shown = (config: ReturnType<typeof on>): string[] =>
    fields.filter((f) => /^reward\.(plain|fast)\./.test(f.path) && isActive(config, f)).map((f) => f.path);
  expect(shown(defaultConfig())).toEqual(['reward.plain.on', 'reward.fast.on']);
  expect(shown(on('plain'))).toEqual(['reward.plain.on', 'reward.plain.w', 'reward.fast.on']);
});

test('a module without a WebGPU form, or with settings that it does not know, is said to wait for a read-back', () => {
  const hints = (config: ReturnType<typeof on>): string[] =>
    checkRules(config).flatMap((i) => (i.path.startsWith('reward.') ? [`${i.path} ${i.message}`] : []));
  const sentence = 'computes its reward on the CPU: a run on the GPU reads every batch back and waits';
  expect(hints(on('plain'))).toEqual([`reward.plain.on ${sentence}`]);
  expect(hints(on('fast'))).toEqual([]);
  expect(hints(on('fast', { 'reward.fast.w': 1.5 }))).toEqual([`reward.fast.on ${sentence}`]);
  expect(hints(on('plain', { 'run.backend': 'cpu' }))).toEqual([]);
});

test('a module that needs what no run records is refused in words, with a repair that switches it off', () => {
  const [issue] = checkRules(on('later')).filter((i) => i.severity === 'error');
  expect(issue).toMatchObject({ path: 'reward.later.on' });
  expect(issue!.message).toBe(
    'is LATER, which needs a mark on the actions that belong to a plan; no run records that yet',
  );
  const repaired = issue!.repair!.set.reduce((c, { path, value }) => setValue(c, path, value), on('later'));
  expect(repaired).toEqual(defaultConfig());
});

test('a config that was written before a slot existed is read with the slot as it is by default', () => {
  const { source: _source, control: _control, ...before } = defaultConfig();
  expect(withLaterSettings(before)).toEqual(defaultConfig());
});
