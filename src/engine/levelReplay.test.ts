import { describe, expect, test } from 'vitest';
import { forkConfig } from '../config/fork.ts';
import { decodeLink, encodeLink } from '../config/link.ts';
import { configWith } from '../config/schema.ts';
import { tensorsOf, type Tensors } from '../contract/state.ts';
import { OUTCOME } from '../contract/tasks.ts';
import { must } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { metricIndex, METRICS, type MetricId } from '../slots/metrics/metrics.ts';
import { wholeTask } from '../contract/taskContext.ts';
import type { UpdateRecord } from './backend.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { makePlan, makeTasks } from './plan.ts';
import { replayUpdate } from '../lab/replay.ts';
import { createRun, Run, type Checkpoint } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';
import { Snapshots } from '../lab/snapshot.ts';

/** Ten rooms with a goal somewhere: some are near enough to be found by chance within the step limit, others are not. */
const SMALL = {
  'task.grid.level': 'fourRooms',
  'task.grid.maxSteps': 14,
  'task.levels': 10,
  'source.method': 'levelReplay',
  'source.levelReplay.warmFraction': 0.5,
  'policy.mlp.hidden': [12],
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 4,
  'run.seeds': 2,
  'run.updates': 12,
  'analysis.evalEvery': 0,
};
const sorted = (x: readonly number[]): number[] => [...x].sort((a, b) => a - b);
const of = (record: UpdateRecord, id: MetricId, s = 0): number => record.metrics[s * METRICS + metricIndex[id]]!;
/** What level replay remembers in a state. */
const known = ({ state }: Pick<Checkpoint, 'state'>): Tensors => tensorsOf(state.tensors, 'levelReplay');

describe('a run whose tasks depend on how the last ones went', () => {
  test('draws every level once before it replays, then more and more, then always', async () => {
    const run = await sampleRun({ ...SMALL, 'source.levelReplay.schedule': 'proportionate' });
    const records = await train(run, 12);
    const seen = records.map((r) => of(r, 'levelsSeen'));
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe(10);
    expect(seen.every((n, k) => k === 0 || n >= seen[k - 1]!)).toBe(true);
    expect(of(records[0]!, 'replayShare')).toBe(0);
    expect(of(records.at(-1)!, 'replayShare')).toBe(1);
    expect(of(records[0]!, 'levelScore')).toBeNaN();
    expect(of(records.at(-1)!, 'levelScore')).toBeGreaterThanOrEqual(0);
  });

  test('goes on from a checkpoint, and from a state that was cut by seeds, to the bits of the run that never stopped', async () => {
    const run = await sampleRun(SMALL);
    await train(run, 5);
    const kept = await run.checkpoint();
    const rest = await train(run, 4);
    const resumed = await Run.create(run.whole, makeCpuBackend, kept);
    expect(await train(resumed, 4)).toEqual(rest);
    expect(await resumed.checkpoint()).toEqual(await run.checkpoint());
    await run.restore(kept);
    expect(await train(run, 4)).toEqual(rest);
    expect([...known(kept)['seenAt']!].filter((at) => at > 0).length).toBeGreaterThan(8);
  });

  test('is repeated by its link, and shows an earlier batch as it was', async () => {
    const run = await sampleRun(SMALL);
    const records = await train(run, 4);
    const kept = await run.checkpoint();
    const view = await run.submit().then(() => run.backend.view(1));
    const { config } = must(decodeLink(encodeLink({ config: run.config })));
    expect(await train(must(await createRun(config)), 4)).toEqual(records);
    const again = await replayUpdate(run, kept, 1, new Snapshots());
    expect(again.levelSeeds).toEqual(view.levelSeeds);
  });

  test('keeps what it knows of its levels in a fork that judges them alike, and forgets it in one that does not', async () => {
    const parent = await sampleRun(SMALL);
    await train(parent, 6);
    const before = await parent.checkpoint();
    const startOf = async (changes: Record<string, unknown>): Promise<readonly (readonly number[])[]> => {
      const config = forkConfig(parent.config, 6, configWith(changes, parent.config));
      const child = must(await createRun(config));
      await train(child, 6);
      const begins = known(child.startOf(await child.checkpoint()));
      await train(child, 2);
      return Object.values(begins).map((array) => [...array]);
    };
    const kept = Object.values(known(before)).map((array) => [...array]);
    expect(await startOf({ 'source.levelReplay.temperature': 0.5 })).toEqual(kept);
    expect(await startOf({ 'source.levelReplay.score': 'creditSize' })).toEqual([]);
    expect(await startOf({ 'source.method': 'uniform' })).toEqual([]);
  });

  test.each(['creditSize', 'valueL1'])('judges levels by what it asks for: %s', async (score) => {
    const run = await sampleRun({ ...SMALL, 'advantage.method': 'gae', 'source.levelReplay.score': score });
    const [record] = await train(run, 1);
    const { batch, A } = await run.backend.view(0);
    const tasks = makeTasks(run.plan, 0, 'eval').taskIndex;
    const { score: scores, seenAt } = known(await run.checkpoint());
    const steps = Array.from(A.keys()).filter((k) => k % batch.T < batch.length[Math.floor(k / batch.T)]!);
    const groups = [0, 1, 2].map((p) => {
      const own = steps.filter((k) => tasks[Math.floor(k / batch.T)] === p);
      return mean(own.map((k) => Math.abs(A[k]!)));
    });
    const found = [...scores!.subarray(0, 10)].filter((_, k) => seenAt![k]! > 0);
    expect(found.length).toBe(3);
    expect(record!.outcomes!.length).toBe(2 * 3 * OUTCOME.length);
    // credit is whitened behind the target of the critic
    if (score === 'creditSize') sorted(found).forEach((x, k) => expect(x).toBeCloseTo(sorted(groups)[k]!, 12));
    else expect(found.every((x) => x > 0)).toBe(true);
  });

  test('replays new levels without end, and remembers as many as it may', async () => {
    const run = await sampleRun({
      ...SMALL,
      'task.levels': 0,
      'source.levelReplay.kept': 4,
      'source.levelReplay.schedule': 'proportionate',
    });
    const records = await train(run, 10);
    expect(of(records.at(-1)!, 'levelsSeen')).toBe(4);
    const share = mean(records.slice(4).map((r) => of(r, 'replayShare')));
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.8);
    const { seed, seenAt } = known(await run.checkpoint());
    expect(new Set(seed).size).toBe(8);
    expect(seenAt!.every((at) => at > 0)).toBe(true);
  });

  test('evaluates on the whole task, drawn evenly', () => {
    const evalOf = (method: string) => {
      const plan = must(makePlan(configWith({ ...SMALL, 'source.method': method })));
      return makeTasks(plan, 3, 'eval');
    };
    expect(evalOf('levelReplay')).toEqual(evalOf('uniform'));
    expect(() => makeTasks(must(makePlan(configWith(SMALL))), 3, 'train')).toThrow('depend on its state');
  });
});

test('a source that does not fill the batch with groups of its size is refused with what it gave', () => {
  const plan = must(makePlan(configWith({ ...SMALL, 'source.method': 'uniform' })));
  const giving =
    (tries: readonly number[], unequal = false) =>
    () => {
      const next = () => tries.map((n) => wholeTask(1, n));
      return makeTasks({ ...plan, source: { ...plan.source, next, unequal } }, 0, 'train');
    };
  expect(giving([4, 4, 4])).not.toThrow();
  expect(giving([4, 4])).toThrow('The task source “Drawn evenly” gave 2 tasks to a batch of 3.');
  expect(giving([4, 5, 3])).toThrow('The task source “Drawn evenly” gave a task 5 tries, where all have 4.');
  expect([...giving([4, 5, 3], true)().taskIndex.subarray(0, 12)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2]);
  expect(giving([4, 5, 2], true)).toThrow('The task source “Drawn evenly” gave 11 episodes to a batch of 12.');
});

/** A policy that hardly changes: a level stays as hard as it is, so that only the choice of levels can make a difference. */
test('replay finds levels that are won now and then: at least 1.4 times as many groups with both ends as an even draw, in every seed', async () => {
  const mixedOf = async (method: string): Promise<number[]> => {
    const still = { 'optimizer.learningRate': 1e-6, 'run.seeds': 4, 'run.updates': 60 };
    const records = await train(await sampleRun({ ...SMALL, ...still, 'source.method': method }), 60);
    return [0, 1, 2, 3].map((s) => mean(records.slice(20).map((r) => of(r, 'mixedOutcomeGroups', s))));
  };
  const [replayed, even] = [await mixedOf('levelReplay'), await mixedOf('uniform')];
  replayed.forEach((share, s) => expect(share / even[s]!).toBeGreaterThan(1.4));
});
