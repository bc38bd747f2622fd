import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capIssues, isSmall } from './caps.ts';
import { memoryOf } from './memory.ts';
import { bytesAllowed } from './memoryCap.ts';
import { presetConfig, presets } from './presets.ts';
import { prepareTask } from './level.ts';
import { checkRules } from './rules.ts';
import { configWith, fields, getValue, parseConfig, setValue, type Field } from './schema.ts';
import type { Config } from './slots.ts';

type Changes = Readonly<Record<string, unknown>>;

/** A link of 142 characters that once took 5 GB by being opened. */
const HEAVY: Changes = {
  'run.seeds': 64,
  'policy.mlp.hidden': [512, 512, 512, 512],
  'rollout.tasksPerBatch': 64,
  'rollout.groupSize': 16,
};

const errorsOf = (config: Config) => checkRules(config).filter((issue) => issue.severity === 'error');
const repairedBy = (config: Config, set: readonly { path: string; value: unknown }[]): Config =>
  set.reduce((c, { path, value }) => setValue(c, path, value), config);

test.each(['auto', 'cpu', 'webgpu'])('a run of gigabytes is refused in one sentence on “%s”', (backend) => {
  const [issue, ...others] = errorsOf(configWith({ ...HEAVY, 'run.backend': backend }));
  expect(others).toEqual([]);
  expect(issue!.message).toMatch(
    /^makes the run take \d+\.\d GiB of (graphics )?memory; at most 512 MiB are given to one$/,
  );
});

test('the repair is the largest setting that fits: one more would be too much', () => {
  const config = configWith({ ...HEAVY, 'rollout.tasksPerBatch': 4, 'run.backend': 'cpu' });
  const [issue] = capIssues(config);
  expect(issue!.repair!.set.map(({ path }) => path)).toEqual(['run.seeds']);
  const most = issue!.repair!.set[0]!.value as number;
  expect(most).toBeGreaterThan(0);
  expect(memoryOf(setValue(config, 'run.seeds', most))!.most.cpu).toBeLessThanOrEqual(bytesAllowed());
  expect(memoryOf(setValue(config, 'run.seeds', most + 1))!.most.cpu).toBeGreaterThan(bytesAllowed());
});

test.each<Changes>([
  HEAVY,
  { 'policy.mlp.hidden': [512, 512, 512, 512, 512, 512], 'task.grid.level': 'empty', 'task.grid.n': 32 },
  { 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64, 'objective.minibatches': 64 },
  { 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 512, 'task.grid.maxSteps': 1000 },
  { 'rollout.staleness': 128, 'run.seeds': 64, 'policy.mlp.hidden': [512, 512] },
  { 'task.method': 'textmaze', 'policy.method': 'transformer', 'policy.transformer.width': 64, 'run.seeds': 64 },
  { 'objective.method': 'rlPlus', 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 512 },
])('one click on the repair of %j leaves nothing too large and nothing new that is wrong', (changes) => {
  const config = configWith(changes);
  const [issue] = capIssues(config);
  const repaired = repairedBy(config, issue!.repair!.set);
  expect(capIssues(repaired)).toEqual([]);
  expect(errorsOf(repaired)).toEqual([]);
  expect(parseConfig(repaired).ok).toBe(true);
});

test('the earlier parts of a forked run are held to the same caps', () => {
  const was = { 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 512 };
  const config = configWith({ 'run.fork': JSON.stringify([{ at: 4, was }]) });
  const [issue] = errorsOf(config);
  expect(issue).toMatchObject({ path: 'run.fork' });
  expect(issue!.message).toMatch(/^is too large before update 4: .*more than 4,194,304 steps per update$/);
  expect(errorsOf(repairedBy(config, issue!.repair!.set))).toEqual([]);
});

test('every preset is small enough to be prepared before Run, and a heavy experiment is not', async () => {
  for (const preset of presets) {
    const config = presetConfig(preset);
    await prepareTask(config);
    expect(isSmall(config), preset.id).toBe(true);
  }
  expect(isSmall(configWith(HEAVY))).toBe(false);
  // little memory, but minutes of cloning
  expect(isSmall(configWith({ 'policy.cloneEpisodes': 64, 'policy.cloneSteps': 1000 }))).toBe(false);
});

/** Sizes over their whole range, everything else as it comes. */
const SIZES = ['run.seeds', 'rollout.tasksPerBatch', 'rollout.groupSize', 'rollout.staleness', 'objective.minibatches'];

function valueOf({ path, setting, slot }: Field, x: number): unknown {
  if (setting === null) return slot.modules[Math.floor(x * 0.999 * slot.modules.length)]!.id;
  if (setting.kind === 'choice') return setting.options[Math.floor(x * 0.999 * setting.options.length)];
  if (setting.kind === 'switch') return x > 0.5;
  if (setting.kind === 'integers') return [1, 2, 3].map((k) => 1 + Math.floor(((x * k * 511) % 511) + 1));
  if (setting.kind === 'integer' || setting.kind === 'number') {
    const max = SIZES.includes(path) || path.startsWith('policy.') ? setting.max : Math.min(setting.max, 40);
    const drawn = setting.min + x * (max - setting.min);
    return setting.kind === 'integer' ? Math.round(drawn) : drawn;
  }
  return setting.default;
}

test('whatever is too large, its repair passes every cap and brings no new error', () => {
  const share = fc.nat({ max: 1000 }).map((n) => n / 1000);
  const one = fc.tuple(fc.nat(fields.length - 1), share);
  const sizes = fc.array(share, { minLength: 5, maxLength: 5 });
  let refused = 0;
  fc.assert(
    fc.property(fc.array(one, { maxLength: 3 }), sizes, (changes, [...large]) => {
      const all = [
        ...changes.map(([at, x]) => [fields[at]!, x] as const),
        ...SIZES.map((path, k) => [fields.find((f) => f.path === path)!, large[k]!] as const),
      ];
      const config = all.reduce((c, [field, x]) => setValue(c, field.path, valueOf(field, x)), configWith({}));
      if (!parseConfig(config).ok) return;
      const [issue] = capIssues(config);
      if (!issue) return;
      refused++;
      const repaired = repairedBy(config, issue.repair!.set);
      expect(capIssues(repaired)).toEqual([]);
      const before = new Set(errorsOf(config).map(({ path }) => path));
      expect(errorsOf(repaired).filter(({ path }) => !before.has(path))).toEqual([]);
      expect(issue.repair!.set.map(({ path }) => getValue(repaired, path))).not.toContain(undefined);
    }),
    { numRuns: 50 },
  );
  expect(refused).toBeGreaterThan(20);
});
