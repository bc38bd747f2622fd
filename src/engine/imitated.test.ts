import { describe, expect, test } from 'vitest';
import type { Batch } from '../contract/columns.ts';
import { environments } from '../envs/registry.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { bestFirst, isPlateau, middleOf, remember } from '../slots/rollout/expertIteration/expertMemory.ts';
import type { Finished, MemoryContext } from '../slots/rollout/memory/types.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { putTask, taskAt } from '../slots/rollout/again/storedTask.ts';
import { reliftMemory } from '../slots/rollout/relift/reliftMemory.ts';
import type { UpdateRecord } from './backend.ts';
import { sampleRun, train } from './sampleRun.ts';
import { drawnWith } from '../slots/rollout/weightedReplay/weightedReplayMemory.ts';

const grid = environments.find(({ id }) => id === 'grid')!;
const level: object = must(
  grid.level({ ...defaultsOf(grid.settings), level: 'empty', n: 5 }, defaultsOf(grid.rewards), 1),
) as object;
const context = { env: grid, T: 20, level: () => level } as unknown as MemoryContext;

/** Two groups of two episodes with these successes; level seeds 10 and 11. */
const finished = (...success: number[]): Finished => ({
  batch: { B: 4, T: 20, taskIndex: Uint32Array.of(0, 0, 1, 1), success: Uint32Array.from(success) } as unknown as Batch,
  ...{ A: new Float32Array(0), logp: new Float32Array(0), begins: () => null },
  name: (row) => ({ levelSeed: 10 + (row >> 1), maxSteps: 0, variant: 0 }),
  episodeSeed: (row) => row,
});

describe('ReLIFT', () => {
  const memory = () => ({ waiting: new Float64Array(2 * 3 * 5), starts: new Uint32Array(2 * 3 * grid.words) });
  const params = { size: 3, rate: 1 };

  test('collects only tasks whose whole group failed, and waits until there are enough', () => {
    const held = memory();
    reliftMemory.report!(held, finished(0, 0, 0, 1), context, params);
    reliftMemory.report!(held, finished(1, 1, 1, 1), context, params);
    reliftMemory.report!(held, finished(0, 1, 0, 0), context, params);
    expect(reliftMemory.imitate!(held, context, params)).toEqual([]);
    reliftMemory.report!(held, finished(0, 0, 1, 0), context, params);
    const lessons = reliftMemory.imitate!(held, context, params);
    // newest first
    expect(lessons.map(({ name }) => name.levelSeed)).toEqual([10, 11, 10]);
    expect(lessons[0]!.actions).toHaveLength(grid.shortestPath(level)!.length);
    expect(held.waiting.every((x) => x === 0)).toBe(true);
  });

  test('keeps those that were not taken, and forgets the oldest where there is no room', () => {
    const held = memory();
    for (let k = 0; k < 2; k++) reliftMemory.report!(held, finished(0, 0, 0, 0), context, params);
    expect(reliftMemory.imitate!(held, context, params)).toHaveLength(3);
    expect(reliftMemory.imitate!(held, context, params)).toEqual([]);
    for (let k = 0; k < 9; k++) reliftMemory.report!(held, finished(0, 0, 0, 0), context, params);
    expect(reliftMemory.imitate!(held, context, params)).toHaveLength(3);
    expect(reliftMemory.imitate!(held, context, params)).toHaveLength(3);
    expect(reliftMemory.imitate!(held, context, params)).toEqual([]);
  });

  test('leaves out what the solver cannot do in time', () => {
    const held = memory();
    reliftMemory.report!(held, finished(0, 0, 0, 0), { ...context, T: 2 }, params);
    expect(held.waiting.every((x) => x === 0)).toBe(true);
  });
});

describe('replay weighted by return', () => {
  const stored = [
    { outcome: 0, levelSeed: 1, length: 4 },
    { outcome: 1, levelSeed: 1, length: 4 },
    { outcome: 5, levelSeed: 2, length: 1 },
    { outcome: 5, levelSeed: 2, length: 1 },
  ];
  const rule = { temperature: 0.5, compared: 'all', draws: 'episodes' } as const;

  test('prefers the easy level, unless returns are compared within their level', () => {
    expect(drawnWith(stored, rule)[2]).toBeGreaterThan(drawnWith(stored, rule)[1]!);
    // above the mean of their level: −½, ½, 0, 0; stretched 0, 1, ½, ½
    const [worst, best, usual] = drawnWith(stored, { ...rule, compared: 'level' });
    expect(best! / worst!).toBeCloseTo(Math.exp(2), 9);
    expect(usual! / worst!).toBeCloseTo(Math.exp(1), 9);
  });

  test('counts an episode once for each of its steps where steps are drawn', () => {
    const flat = { ...rule, temperature: 1e9, draws: 'steps' } as const;
    [0.4, 0.4, 0.1, 0.1].forEach((w, i) => expect(drawnWith(stored, flat)[i]).toBeCloseTo(w, 6));
  });
});

describe('expert iteration', () => {
  const rule = { nodes: 400, kappa: 0.5 };
  const searching = (probs: () => readonly number[]) => {
    const spent = { steps: 0 };
    const world = { env: grid, T: 40, probs, spend: (n: number) => void (spent.steps += n) };
    return { spent, world };
  };
  const count = grid.actions(level).length;

  test('finds a way to the goal with a policy that knows nothing, and charges every step', () => {
    const { spent, world } = searching(() => Array.from({ length: count }, () => 1 / count));
    const { actions, surprise } = bestFirst(world, level, 1, rule)!;
    expect(actions.length).toBeGreaterThanOrEqual(grid.shortestPath(level)!.length);
    surprise.forEach((x) => expect(x).toBeCloseTo(Math.log(count), 9));
    expect(spent.steps).toBeGreaterThan(actions.length);
    expect(spent.steps).toBeLessThanOrEqual(400);
    expect(bestFirst(world, level, 1, { ...rule, nodes: 3 })).toBeNull();
  });

  test('spends little where the policy knows the way', () => {
    const path = grid.shortestPath(level)!;
    const start = new Uint32Array(grid.words);
    grid.reset(level, start, 0);
    let t = 0;
    const knows = searching(() => {
      const best = path[t++];
      return Array.from({ length: count }, (_, a) => (a === best ? 0.97 : 0.03 / (count - 1)));
    });
    expect(bestFirst(knows.world, level, 1, rule)!.actions).toEqual(path);
    expect(knows.spent.steps).toBeLessThanOrEqual(count * path.length);
  });

  test('keeps the middle of the steps, whose weights still have mean 1, by hand', () => {
    expect([...middleOf([5, 1, 3, 2, 4], 0.6)]).toEqual([0, 0, 5 / 3, 5 / 3, 5 / 3]);
    expect([...middleOf([1, 1], 1)]).toEqual([1, 1]);
    expect(middleOf([], 0.6)).toHaveLength(0);
  });

  test('stops on a plateau: no span gains more than a point on the one before, and there is something to gain', () => {
    const of = (...success: number[]) => Float64Array.from(success, (x) => 1 + x);
    // newest first
    expect(isPlateau(of(0.3, 0.3, 0.3, 0.3))).toBe(true);
    expect(isPlateau(of(0.31, 0.3, 0.3, 0.3))).toBe(true);
    expect(isPlateau(of(0.34, 0.3, 0.3, 0.3))).toBe(false);
    expect(isPlateau(of(1, 1, 1, 1))).toBe(false);
    expect(isPlateau(Float64Array.of(1.3, 1.3, 1.3, 0))).toBe(false);
  });

  test('remembers each level and start once, the newest in front', () => {
    const listOf = (places: number) => ({ numbers: new Float64Array(places * 5), starts: new Uint32Array(places * 2) });
    const [pool, met] = [listOf(3), listOf(1)];
    const remembered = () =>
      [0, 1, 2].map((k) => {
        const task = taskAt(pool, k);
        return task && [task.name.levelSeed, ...Array.from(task.begins ?? [])];
      });
    const meet = (levelSeed: number, begins: Uint32Array | null = null): void => {
      const name = () => ({ levelSeed, maxSteps: 0, variant: 0 });
      putTask(met, 0, { name, begins: () => begins, episodeSeed: () => 7 * levelSeed }, 0);
      remember(pool, met, 0);
    };
    for (const seed of [10, 11, 10]) meet(seed);
    expect(remembered()).toEqual([[10], [11], null]);
    meet(10, Uint32Array.of(0, 0));
    expect(remembered()).toEqual([[10, 0, 0], [10], [11]]);
    meet(10, Uint32Array.of(0, 3));
    expect(remembered()).toEqual([[10, 0, 3], [10, 0, 0], [10]]);
    meet(10, Uint32Array.of(0, 0));
    expect(remembered()).toEqual([[10, 0, 0], [10, 0, 3], [10]]);
  });

  test('on a plateau the weights of the start imitate everything that is solved, several times; then all begins anew', async () => {
    const run = await sampleRun({
      ...{ 'run.backend': 'cpu', 'task.grid.level': 'empty', 'task.grid.n': 5, 'task.levels': 2, 'run.seeds': 1 },
      ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'run.updates': 9, 'rollout.method': 'expertIteration' },
      ...{
        'task.grid.maxSteps': 14,
        'rollout.expertIteration.every': 100,
        'rollout.expertIteration.plateau': 'restart',
      },
      // with a rate of 0 the imitation changes nothing, so that one sees where it begins
      ...{
        'rollout.expertIteration.window': 2,
        'rollout.expertIteration.passes': 3,
        'rollout.expertIteration.rate': 0,
      },
    });
    const tensors = async () => (await run.checkpoint()).state.tensors;
    const start = (await tensors())['theta']!.slice();
    let [moved, restarts] = [0, 0];
    for (let u = 0; u < 9; u++) {
      const [{ metrics, envSteps }] = (await train(run, 1)) as [UpdateRecord];
      const imitated = metrics[metricIndex.imitatedRows]!;
      const now = await tensors();
      expect(now['expertIteration.base']).toEqual(start);
      if (imitated === 0) {
        if (now['theta']!.some((x, k) => x !== start[k])) moved++;
        continue;
      }
      restarts++;
      // two levels, three passes; the search is charged
      expect(imitated).toBe(6);
      expect(envSteps).toBeGreaterThan(8 * 14);
      expect(now['theta']).toEqual(start);
      expect(now['m']!.every((x) => x === 0)).toBe(true);
      expect(now['expertIteration.recent']!.every((x) => x === 0)).toBe(true);
    }
    expect(moved).toBeGreaterThan(0);
    expect(restarts).toBeGreaterThanOrEqual(1);
  });
});
