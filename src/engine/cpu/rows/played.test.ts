import { expect, test } from 'vitest';
import { presetById } from '../../../config/presets.ts';
import { configWith } from '../../../config/schema.ts';
import { metricIndex } from '../../../slots/metrics/metrics.ts';
import type { Run } from '../../run.ts';
import { makeCpuBackend } from '../cpuBackend.ts';
import { sharedColumns } from './rowMemory.ts';
import { rowsOn } from './rows.ts';
import { sharedCores } from './sharedCrew.ts';
import { allOf, onCores, onFar, playedIn, SMALL, started } from './sampleCores.ts';

const WIDE = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 16, 'rollout.arpo.starts': 4 };
const FORKS = { ...WIDE, 'rollout.arpo.alpha': 0.6 };

test.each([
  // the forks of forks come phase by phase; some may not begin with the action of their parent
  ['maze-arpo', true, FORKS],
  ['maze-arpo-released', true, WIDE],
  ['maze-arpo', true, { ...FORKS, 'rollout.arpo.distinct': true, 'policy.method': 'gru', 'advantage.method': 'gae' }],
  // rewards that are settled at the end: a fork goes on from those that came
  ['maze-arpo', true, { ...FORKS, 'task.rewardDelay': 3, 'reward.grid.step': -30 }],
  ['maze-aepo', true, FORKS],
  ['rooms-best-and-worst', false, {}],
  // what is remembered plans: solutions that were found
  ['key-door-search-values', true, WIDE],
  // actions of somebody else, and rows that take the most likely ones
  ['demonstrations', false, {}],
  ['plans-himac-turns', true, WIDE],
])('phases of %s are played on 2 and 4 cores with the bits of one', async (id, forks, changes) => {
  const config = configWith({ ...presetById(id)!.changes, ...SMALL, 'run.updates': 2, ...changes });
  const one = await allOf(await started(config, makeCpuBackend), 2);
  for (const make of [onCores(2), onCores(4), onFar(2), onFar(4)]) {
    const run = await started(config, make);
    const [all, jobs] = await playedIn(() => allOf(run, 2));
    expect(all).toEqual(one);
    expect(jobs.some(({ first }) => first > 0)).toBe(forks);
  }
});

test.each([
  // where a critic judges, rows are judged when those of all rounds are there
  ['rooms-dynamic-sampling', 2, { 'advantage.method': 'gae' }],
  ['rooms-second-tries', 2, {}],
  // the level of a row with a hint on it
  ['far-key-hints', 7, {}],
  ['rooms-dynamic-sampling', 2, { 'policy.method': 'gru', 'rollout.staleness': 1, 'rollout.ages': 'mixed' }],
])('further rounds of %s are played on 2 and 4 cores with the bits of one', async (id, updates, changes) => {
  const config = configWith({ ...presetById(id)!.changes, ...SMALL, 'run.updates': updates, ...changes });
  const one = await allOf(await started(config, makeCpuBackend), updates);
  for (const make of [onCores(2), onCores(4), onFar(2), onFar(4)]) {
    const run = await started(config, make);
    const [all, jobs] = await playedIn(() => allOf(run, updates));
    expect(all).toEqual(one);
    expect(jobs.some(({ round }) => round > 0)).toBe(true);
  }
});

// weights move, whatever is earned
const STALE = { 'rollout.staleness': 2, 'run.updates': 6, 'objective.entropyCoef': 0.5 };

test.each([
  ['key-door', 1, { ...STALE, 'rollout.ages': 'fixed' }],
  ['key-door', 3, { ...STALE, 'rollout.ages': 'mixed', 'run.seeds': 2 }],
  // other weights end an episode than began it: of a network that remembers, and judged by the last
  ['key-door-ppo', 3, { ...STALE, 'rollout.ages': 'interrupted', 'policy.method': 'gru' }],
  ['mixed-lengths', 2, { ...STALE, 'run.seeds': 1, 'rollout.generators': 2 }],
  // a fork goes on with the version that its parent has reached
  ['maze-arpo', 3, { ...STALE, ...FORKS, 'rollout.ages': 'interrupted' }],
  ['key-door', 3, { ...STALE, 'rollout.ages': 'mixed', 'rollout.rolloutPrecision': 'f16' }],
])('versions of the weights of %s play on 2 and 4 cores with the bits of one', async (id, versions, changes) => {
  const config = configWith({ ...presetById(id)!.changes, ...SMALL, ...changes });
  // those of the state play, whatever other cores have heard last
  const twice = async (run: Run) => {
    const before = await allOf(run, 3);
    const kept = await run.checkpoint();
    await run.submit();
    await run.restore(kept);
    return [before, await allOf(run, 2)];
  };
  const one = await twice(await started(config, makeCpuBackend));
  for (const make of [onCores(2), onCores(4), onFar(2), onFar(4)]) {
    const run = await started(config, make);
    const [all, jobs] = await playedIn(() => twice(run));
    expect(all).toEqual(one);
    expect(Math.max(...jobs.map((job) => job.versions))).toBe(versions);
  }
});

const MASKED = { 'objective.method': 'nlpo', 'objective.nlpo.topP': 0.5, 'objective.nlpo.maskEvery': 2 };
const WORDS = { 'policy.method': 'transformer', 'policy.transformer.width': 16, 'policy.transformer.layers': 1 };

test.each([
  ['key-door', { 'run.seeds': 2 }],
  ['key-door', { 'objective.nlpo.inTraining': false }],
  ['maze-words-poad', { ...WORDS, 'advantage.method': 'gae' }],
  // actions of others, of which a restriction may leave nothing; forks, versions, and further rounds
  ['demonstrations', {}],
  ['maze-arpo', { ...FORKS, 'advantage.method': 'grpo' }],
  ['key-door', { 'rollout.staleness': 2, 'rollout.ages': 'mixed' }],
  ['rooms-second-tries', {}],
])('what restricts the actions of %s on 2, 3, 4 and 8 cores counts as on one', async (id, changes) => {
  const rest = { ...SMALL, 'analysis.evalEvery': 2, 'run.updates': 4, 'objective.entropyCoef': 0.5 };
  const config = configWith({ ...presetById(id)!.changes, ...rest, ...MASKED, ...changes });
  const one = await allOf(await started(config, makeCpuBackend), 3);
  expect(one.records.every(({ metrics }) => metrics[metricIndex.maskedShare]! > 0)).toBe(true);
  for (const make of [onCores(2), onCores(3), onCores(4), onCores(8), onFar(3), onFar(4)]) {
    const run = await started(config, make);
    const [all, jobs] = await playedIn(() => allOf(run, 3));
    expect(all).toEqual(one);
    expect(new Set(jobs.map(({ mode, isRestricted }) => `${mode} ${isRestricted}`))).toContain('eval true');
    expect(jobs.every(({ isRestricted }) => isRestricted)).toBe(true);
  }
});

test.each([
  ['alone', ['train true', 'eval false']],
  ['library', ['train true', 'eval true']],
])('a library is shown on 2, 3, 4 and 8 cores as on one; evaluated %s', async (evaluated, shown) => {
  const rest = { ...SMALL, 'analysis.evalEvery': 2, 'run.updates': 6 };
  const own = { 'run.seeds': 2, 'task.levels': 3, 'rollout.sleaRl.evaluated': evaluated };
  const config = configWith({ ...presetById('key-library')!.changes, ...rest, ...own });
  const one = await allOf(await started(config, makeCpuBackend), 5);
  expect(one.records.at(-1)!.metrics[metricIndex.recalledShare]).toBeGreaterThan(0);
  for (const make of [onCores(2), onCores(3), onCores(4), onCores(8), onFar(3), onFar(4)]) {
    const run = await started(config, make);
    const [all, jobs] = await playedIn(() => allOf(run, 5));
    expect(all).toEqual(one);
    expect([...new Set(jobs.map(({ mode, shows }) => `${mode} ${shows}`))].sort()).toEqual([...shown].sort());
  }
});

// a success now and then
const NEAR = { 'task.grid.level': 'fourRooms', 'task.grid.n': 5, 'task.levels': 2, 'advantage.method': 'grpo' };

test.each([
  // one greedy episode of each task
  ['alarm-ratio', 'side', { 'rollout.tasksPerBatch': 3 }],
  ['key-door', 'side', { 'advantage.method': 'remax', ...MASKED }],
  ['key-door-ppo', 'side', { 'advantage.method': 'remax', 'policy.method': 'gru', 'rollout.temperature': 0.7 }],
  // stored episodes beside the batch
  ['far-key-spear', 'again', NEAR],
  ['far-key-spear', 'again', { ...NEAR, 'policy.method': 'gru', 'objective.method': 'gspo' }],
  ['far-key-spear', 'again', { ...NEAR, ...MASKED, 'objective.nlpo.topP': 0.9 }],
  // those that steps imitate, some of them with other levels, chances and begins
  ['far-key-relift', 'lessons', {}],
  ['far-key-relift', 'lessons', MASKED],
  ['key-door-sqirl', 'lessons', {}],
  ['far-key-weighted', 'lessons', {}],
  ['far-key-search', 'lessons', {}],
  ['room-hindsight', 'lessons', {}],
  ['small-room-archer', 'lessons', { 'rollout.archer.warmup': 2 }],
  ['given-subgoals-vsc', 'lessons', {}],
])(
  'what %s plays beside its batch is played on 2, 3, 4 and 8 cores with the bits of one',
  async (id, site, changes) => {
    const rest = { ...SMALL, 'analysis.evalEvery': 4, 'run.updates': 8 };
    const config = configWith({ ...presetById(id)!.changes, ...rest, ...changes });
    const one = await allOf(await started(config, makeCpuBackend), 7);
    for (const make of [onCores(2), onCores(3), onCores(4), onCores(8), onFar(3), onFar(4)]) {
      const run = await started(config, make);
      const [all, jobs] = await playedIn(() => allOf(run, 7));
      expect(all).toEqual(one);
      expect(jobs.some((job) => job.site === site)).toBe(true);
    }
  },
);

test('what other cores see of a run can be sent to them, whatever it plays', async () => {
  const ids = ['key-door', 'alarm-ratio', 'far-key-spear', 'far-key-relift', 'rooms-dynamic-sampling', 'maze-arpo'];
  for (const [id, changes] of [...ids.map((of) => [of, {}] as const), ['key-door', MASKED] as const]) {
    const config = configWith({ ...presetById(id)!.changes, ...SMALL, ...changes });
    const seen: unknown[] = [];
    // it opens what a thread of its own would get, and takes part in nothing
    const link = {
      open: async (...all: readonly unknown[]) => void seen.push(structuredClone(all)),
      enter: () => undefined,
      close: () => undefined,
    };
    const others = sharedCores({ links: [link] });
    const run = await started(config, (plan, state) =>
      makeCpuBackend(plan, state, rowsOn({ share: sharedColumns, others, least: 1 })),
    );
    await run.submit();
    expect(seen.length, id).toBe(1);
    run.dispose();
  }
});
