import { expect, test, vi } from 'vitest';
import { prepareTask } from '../../../config/level.ts';
import { presetById } from '../../../config/presets.ts';
import { configWith } from '../../../config/schema.ts';
import type { Config } from '../../../config/slots.ts';
import { must } from '../../../core/problem.ts';
import { metricIndex } from '../../../slots/metrics/metrics.ts';
import type { MakeBackend } from '../../backend.ts';
import { makePlan } from '../../plan.ts';
import { Run } from '../../run.ts';
import { makeCpuBackend } from '../cpuBackend.ts';
import { NOT_FINITE, RowCore } from './rowCore.ts';
import type { PlayJob, RowJob } from './rowJob.ts';
import { sharedColumns } from './rowMemory.ts';
import { rowsOn } from './rows.ts';
import { sentCores, type SentLink } from './sentCrew.ts';
import { SentHand } from './sentHand.ts';
import { sharedCores } from './sharedCrew.ts';

/** Cores that take the items of every job in turn, in this thread; every job is worth it. */
const onCores =
  (n: number): MakeBackend =>
  (plan, state) =>
    makeCpuBackend(
      plan,
      state,
      rowsOn({ share: sharedColumns, others: sharedCores({ links: [], near: n - 1 }), least: 1 }),
    );

/** Cores with memories of their own: all that goes between them is copied. `flags`: what they say of every job. */
const onFar =
  (n: number, jobs: Set<string> = new Set(), flags?: number): MakeBackend =>
  (plan, state) => {
    const links = Array.from({ length: n - 1 }, (): SentLink => {
      const hand = new SentHand();
      return {
        open: (config) => hand.open(structuredClone(config)),
        do: async (sent) => {
          jobs.add(sent.job.kind);
          const left = structuredClone(hand.do(structuredClone(sent)));
          return { ...left, flags: flags ?? left.flags };
        },
        close: () => hand.close(),
      };
    });
    return makeCpuBackend(plan, state, rowsOn({ share: (columns) => columns, others: sentCores(links), least: 1 }));
  };

async function started(config: Config, make: MakeBackend): Promise<Run> {
  await prepareTask(config);
  return Run.create(must(makePlan(config)), make);
}

/** Everything that is left of a run: its records, its state, the batch on view, its digest. */
async function allOf(run: Run, updates: number) {
  const records = [];
  for (let u = 0; u < updates; u++) records.push(await run.submit());
  const { state } = await run.checkpoint();
  return { records, state, view: await run.backend.view(0), digest: await run.digest() };
}

const SMALL = { 'run.seeds': 1, 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4 };

test.each([
  ['key-door', 'play look sum', {}],
  ['key-door-ppo', 'play look sum', { 'objective.minibatches': 2 }],
  ['key-door-ppo-max', 'play look sum', { 'objective.minibatches': 2 }],
  ['key-door-safe', 'play look sum', { 'objective.minibatches': 2 }],
  ['key-door-mhpo', 'play look sum', { 'objective.minibatches': 2 }],
  ['silent-corridor', 'play look sum', {}],
  ['key-door-resfit', 'play look sum', { 'policy.cloneEpisodes': 4, 'policy.cloneSteps': 4 }],
  ['old-data-ppo', 'play look sum', {}],
  ['rooms-dynamic-sampling', 'play look sum', {}],
  ['room-swarm', 'play look sum', {}],
  // levels in variants, and with step limits and begins of their own
  ['key-door', 'play look sum', { 'task.teacher.on': true, 'task.teacher.wrong': 0.5 }],
  ['sokoban-two-boxes-snapshots', 'play look sum', { 'objective.minibatches': 1 }],
  ['key-door', 'play look sum', { 'task.obsNoise': 51, 'task.rewardNoise': 0.1 }],
  ['own-subgoals-hae', 'play look sum', { 'objective.epochs': 2 }],
  ['sokoban-two-boxes-counts', 'play look sum', { 'run.seeds': 2 }],
  ['sokoban-new-boards', 'play look sum', { 'objective.minibatches': 2, 'objective.epochs': 1 }],
  ['maze-two-rooms', 'play look sum', { 'analysis.heldOut': true }],
  ['sweep-memory', 'play look sum', {}],
  ['side-roads', 'play look sum', { 'rollout.groupSize': 48, 'policy.gru.unroll': 3 }],
  // episodes of more than a chunk, of which each chunk reads the beginning again
  ['key-door-ppo', 'play look sum', { 'policy.method': 'gru', 'task.grid.maxSteps': 300, 'objective.minibatches': 2 }],
  // objectives that look at a whole minibatch first
  ['key-door-ppo', 'play ask look sum', { 'objective.method': 'gspo', 'objective.minibatches': 2 }],
  ['sweep-memory', 'play ask look sum', { 'objective.method': 'gspo', 'objective.epochs': 2 }],
  // several additions to a parameter in one pass: every chunk has a gradient of its own
  ['t-maze', 'play look sum', { 'rollout.groupSize': 48, 'objective.minibatches': 2 }],
  ['t-maze-summaries', 'play look sum', { 'rollout.groupSize': 48 }],
  ['maze-words-poad', 'play look sum', {}],
])('rows of %s on 1, 2, 4 and 8 cores give the bits of one', async (id, jobs, changes) => {
  const config = configWith({ ...presetById(id)!.changes, ...SMALL, 'run.updates': 2, ...changes });
  const one = await allOf(await started(config, makeCpuBackend), 1);
  const { do: item } = RowCore.prototype;
  for (const n of [1, 2, 4, 8]) {
    const [kinds, cores] = [new Set<string>(), new Set<RowCore>()];
    const done = vi.spyOn(RowCore.prototype, 'do').mockImplementation(function (this: RowCore, ...args) {
      kinds.add(this.kind);
      cores.add(this);
      return item.apply(this, args);
    });
    expect(await allOf(await started(config, onCores(n)), 1)).toEqual(one);
    done.mockRestore();
    expect([cores.size, [...kinds].join(' ')]).toEqual(n === 1 ? [0, ''] : [n, jobs]);
  }
  for (const n of [2, 4]) {
    const sent = new Set<string>();
    expect(await allOf(await started(config, onFar(n, sent)), 1)).toEqual(one);
    // what was found is added up by one
    expect([...sent].join(' ')).toEqual(jobs.replace(' sum', ''));
  }
});

/** What comes of some work, and the rollouts that cores played a part of meanwhile. */
async function playedIn<T>(work: () => Promise<T>): Promise<readonly [T, readonly PlayJob[]]> {
  const jobs: PlayJob[] = [];
  const { begin } = RowCore.prototype;
  const begun = vi.spyOn(RowCore.prototype, 'begin').mockImplementation(function (this: RowCore, ...args) {
    begin.apply(this, args);
    const { job } = this as unknown as { job: RowJob };
    if (job.kind === 'play') jobs.push(job);
  });
  try {
    return [await work(), jobs];
  } finally {
    begun.mockRestore();
  }
}

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

test('a run goes on from a checkpoint and through a change of the backend with the bits of one core', async () => {
  const config = configWith({ ...SMALL, 'run.updates': 4, 'run.events': '2 rollout.temperature 0.7' });
  const left: unknown[] = [];
  for (const make of [makeCpuBackend, onCores(3), onFar(3)]) {
    const run = await started(config, make);
    await run.submit();
    const kept = await run.checkpoint();
    await run.submit();
    await run.submit();
    await run.restore(kept);
    left.push(await allOf(run, 3));
  }
  expect(left[1]).toEqual(left[0]);
  expect(left[2]).toEqual(left[0]);
});

test('what goes wrong in a row of another core is flagged as on one', async () => {
  const config = configWith({ ...SMALL, 'run.updates': 3 });
  for (const make of [makeCpuBackend, onCores(4), onFar(4)]) {
    const run = await started(config, make);
    const { state, chain } = await run.checkpoint();
    const theta = (state.tensors['theta'] as Float32Array).map(() => NaN);
    await run.restore({ state: { ...state, tensors: { ...state.tensors, theta } }, chain });
    expect([...(await run.submit()).bad]).toEqual([1]);
  }
});

test('what only another core has seen of its rows is flagged', async () => {
  const config = configWith({ ...SMALL, 'run.updates': 3 });
  const run = await started(config, onFar(2, new Set(), NOT_FINITE));
  expect([...(await run.submit()).bad]).toEqual([1]);
});
