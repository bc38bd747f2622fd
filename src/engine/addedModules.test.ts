import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { forkConfig } from '../config/fork.ts';
import { decodeLink, encodeLink } from '../config/link.ts';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { replicasOf } from '../contract/state.ts';
import { must } from '../core/problem.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { HALL, STEEPER } from '../envs/fixtures/registry.ts';
import { FADING, LATER } from '../networks/fixtures/registry.ts';
import { networkOf } from '../networks/policy.ts';
import { SMALL, USED } from '../slots/fixtures/registry.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { createRun, Run } from './run.ts';
import { train } from './sampleRun.ts';

vi.mock('../slots/registry.ts', async (original) => {
  const { withAdded } = await import('../slots/fixtures/registry.ts');
  return withAdded(await original());
});
vi.mock('../slots/methods.ts', async (original) => {
  const { withAdded } = await import('../slots/fixtures/registry.ts');
  return withAdded(await original());
});
vi.mock('../slots/metrics/chosen.ts', async (original) => {
  const { withAdded } = await import('../slots/fixtures/registry.ts');
  return withAdded(await original());
});

vi.mock('../networks/registry.ts', async (original) => {
  const { withNetwork } = await import('../networks/fixtures/registry.ts');
  return withNetwork(await original());
});
vi.mock('../envs/registry.ts', async (original) => {
  const { withHall } = await import('../envs/fixtures/registry.ts');
  return withHall(await original());
});

const plain = configWith({ ...SMALL, 'run.backend': 'cpu' });
const open = async (config: Config): Promise<Run> => must(await createRun(config));
const stateOf = async (run: Run) => (await run.checkpoint()).state;

test.each([...USED, ['all at once', Object.assign({}, ...USED.map(([, settings]) => settings))] as const])(
  'a module of the slot %s that is one file and one line trains, pauses, resumes, forks and links',
  async (_slot, settings) => {
    const config = configWith(settings, plain);
    expect(checkRules(config).filter(({ severity }) => severity === 'error')).toEqual([]);

    const run = await open(must(decodeLink(encodeLink({ config }))).config);
    const records = await train(run, 2);
    const saved = await run.checkpoint();
    records.push(...(await train(run, 2)));
    for (const { bad } of records) expect([...bad]).toEqual([0, 0]);
    const end = await stateOf(run);
    const unused = await open(plain);
    await train(unused, 4);
    expect((await stateOf(unused)).tensors['theta']).not.toEqual(end.tensors['theta']);

    const resumed = await Run.create(run.whole, makeCpuBackend, saved);
    expect(await train(resumed, 2)).toEqual(records.slice(2));
    expect(await stateOf(resumed)).toEqual(end);

    const alone = await open(configWith({ 'run.seed': 2, 'run.seeds': 1 }, config));
    const own = await train(alone, 4);
    expect(own.map(({ metrics }) => [...metrics])).toEqual(records.map((r) => [...r.metrics.subarray(METRICS)]));
    expect(await stateOf(alone)).toEqual(replicasOf(end, 2, 1, 1));

    const parent = await open(plain);
    const before = await train(parent, 2);
    const fork = await open(forkConfig(plain, 2, config));
    expect(await train(fork, 2)).toEqual(before);
    const kept = await fork.checkpoint();
    for (const { bad } of await train(fork, 2)) expect([...bad]).toEqual([0, 0]);
    const continued = await Run.create(fork.whole, makeCpuBackend, kept);
    await train(continued, 2);
    expect(await stateOf(continued)).toEqual(await stateOf(fork));
    await train(parent, 2);
    expect((await stateOf(parent)).tensors['theta']).not.toEqual((await stateOf(fork)).tensors['theta']);
  },
);

test.each([
  ['network', FADING, LATER],
  ['environment', HALL, STEEPER],
])('a module of the slot %s that is a folder and a line trains, pauses, resumes, forks and links', async (...of) => {
  const [, settings, later] = of;
  const config = configWith(settings, plain);
  expect(checkRules(config).filter(({ severity }) => severity === 'error')).toEqual([]);

  const run = await open(must(decodeLink(encodeLink({ config }))).config);
  expect([run.whole.policy.network.id, run.whole.env.id]).toContain(Object.values(settings)[0]);
  const records = await train(run, 2);
  const saved = await run.checkpoint();
  records.push(...(await train(run, 2)));
  for (const { bad } of records) expect([...bad]).toEqual([0, 0]);
  const end = await stateOf(run);
  expect(Math.max(...(end.tensors['theta'] as Float32Array))).toBeGreaterThan(0.01);

  const resumed = await Run.create(run.whole, makeCpuBackend, saved);
  expect(await train(resumed, 2)).toEqual(records.slice(2));
  expect(await stateOf(resumed)).toEqual(end);

  const alone = await open(configWith({ 'run.seed': 2, 'run.seeds': 1 }, config));
  await train(alone, 4);
  expect(await stateOf(alone)).toEqual(replicasOf(end, 2, 1, 1));

  const fork = await open(forkConfig(config, 2, configWith(later, config)));
  expect(await train(fork, 2)).toEqual(records.slice(0, 2));
  for (const { bad } of await train(fork, 2)) expect([...bad]).toEqual([0, 0]);
  expect((await stateOf(fork)).tensors['theta']).not.toEqual(end.tensors['theta']);
});

test('a network without a recording trains on the CPU: a hint says so, and a config that insists on WebGPU is refused', () => {
  const fading = networkOf('fading');
  const issues = (backend: string): string[] =>
    checkRules(configWith({ ...FADING, 'run.backend': backend }, plain))
      .filter(({ message }) => message.includes('WebGPU'))
      .map(({ severity, path, repair }) => `${severity} ${path} ${JSON.stringify(repair?.set ?? null)}`);
  expect(issues('webgpu')).toEqual([]);
  const { gpu } = fading;
  // the record of a test: the list has this very object
  delete (fading as { gpu?: unknown }).gpu;
  try {
    expect(issues('cpu')).toEqual([]);
    expect(issues('auto')).toEqual(['hint policy.method null']);
    expect(issues('webgpu')).toEqual(['error policy.method [{"path":"run.backend","value":"cpu"}]']);
  } finally {
    (fading as { gpu?: unknown }).gpu = gpu;
  }
});

test('a metric that is one file and one line is measured where it is switched on, and changes nothing else', async () => {
  const config = configWith({ 'analysis.lostShare.on': true, 'analysis.mergedShare.on': true }, plain);
  const run = await open(must(decodeLink(encodeLink({ config }))).config);
  const records = await train(run, 2);
  const saved = await run.checkpoint();
  const rest = await train(run, 1);
  const unused = await open(plain);
  for (const [u, record] of (await train(unused, 3)).entries()) {
    expect(record).not.toHaveProperty('chosen');
    expect([...records, ...rest][u]).toMatchObject(record);
  }
  expect(await run.digest()).toEqual(await unused.digest());

  const of = (id: string): number => (metricIndex as Record<string, number>)[id]!;
  for (const u of [0, 1, 2])
    for (const s of [0, 1]) {
      expect(run.series.at(u, s, of('lostShare'))).toBeCloseTo(1 - run.series.at(u, s, of('success')), 6);
      expect(run.series.at(u, s, of('mergedShare'))).toBeGreaterThan(0);
      expect(unused.series.at(u, s, of('lostShare'))).toBeNaN();
    }
  expect(run.csv().split('\n')[0]).toBe(`${unused.csv().split('\n')[0]},mergedShare,lostShare`);

  const resumed = await Run.create(run.whole, makeCpuBackend, saved);
  expect(await train(resumed, 1)).toEqual(rest);
  const fork = await open(forkConfig(plain, 2, config));
  await train(fork, 3);
  expect([0, 1, 2].map((u) => Number.isNaN(fork.series.at(u, 0, of('lostShare'))))).toEqual([true, true, false]);
  expect(await fork.digest()).toEqual(await unused.digest());
});

test('one that has no WebGPU form says in the form that a run on the GPU waits for it', () => {
  const config = configWith(
    { 'run.backend': 'auto', 'analysis.lostShare.on': true, 'analysis.mergedShare.on': true },
    plain,
  );
  const hints = checkRules(config).filter(({ message }) => message.includes('computes its number on the CPU'));
  expect(hints.map(({ path }) => path)).toEqual(['analysis.mergedShare.on']);
});

const ROOT = join(import.meta.dirname, '../..');
/** Text without the lines that say where a file lies. */
const body = (file: string): string =>
  readFileSync(join(ROOT, file), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('import '))
    .join('\n')
    .trim();

test.each([
  ['add-a-task-source.md', 'weakest.ts'],
  ['add-a-rollout.md', 'retry.ts'],
  ['add-a-rollout.md', 'staggered.ts'],
  ['add-a-wrapper.md', 'fuel.ts'],
  ['add-a-wrapper.md', 'fuel.wgsl'],
  ['add-a-controller.md', 'doubling.ts'],
  ['add-a-revision.md', 'calmer.ts'],
  ['add-a-metric.md', 'lostShare.ts'],
  ['add-a-reward.md', 'bumpCost.ts'],
  ['add-a-method.md', 'aboveMean.ts'],
  ['add-a-method.md', 'power.ts'],
  ['add-a-method.md', 'soft.ts'],
])('the module that %s tells to write is the one that trains here: %s', (page, file) => {
  expect(body(`docs/${page}`)).toContain(body(`src/slots/fixtures/modules/${file}`));
});

test.each(['fading.ts', 'fadingOnGpu.ts', 'fade.wgsl'])(
  'the network that add-a-network.md tells to write is the one that trains here: %s',
  (file) => {
    expect(body('docs/add-a-network.md')).toContain(body(`src/networks/fixtures/${file}`));
  },
);

test.each([
  ...['hall.ts', 'step.wgsl', 'stepWgsl.ts', 'hall.test.ts'].map((file) => `envs/fixtures/hall/${file}`),
  'engine/gpu/hall.gpu.test.ts',
])('the environment that add-an-environment.md tells to write is the one that trains here: %s', (file) => {
  expect(body('docs/add-an-environment.md')).toContain(body(`src/${file}`));
});

test.each(['runningMax.ts', 'runningMax.wgsl'])(
  'the kernel that add-a-kernel.md tells to write is the one that the conformance of kernels runs: %s',
  (file) => {
    expect(body('docs/add-a-kernel.md')).toContain(body(`src/gpu/shaders/fixtures/runningMax/${file}`));
  },
);
