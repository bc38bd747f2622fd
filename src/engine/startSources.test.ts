import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { usedSteps, type Task, type TaskOutcome } from '../contract/tasks.ts';
import { configWith } from '../config/schema.ts';
import { distancesOf } from '../envs/distances.ts';
import { makePlan, type Plan } from './plan.ts';
import { sourceContext } from './plannedRows.ts';
import { FAMILIES, familiesOf, familyAt, omniReset } from '../slots/task/omniReset.ts';
import { classOf, shareAt, snapshotRl, snapshotsOf } from '../slots/task/snapshotRl.ts';
import { distanceAt, ring, startDistance } from '../slots/task/startDistance.ts';
import type { SourceContext, TaskSource } from '../slots/task/types.ts';

const planOf = (changes: Record<string, unknown>): Plan =>
  must(makePlan(configWith({ 'rollout.tasksPerBatch': 400, 'rollout.groupSize': 2, 'run.seeds': 1, ...changes })));
const keyDoor = planOf({ 'task.grid.level': 'keyDoor', 'task.levels': 1 });
const boxes = planOf({
  'task.method': 'sokoban',
  'task.sokoban.level': 'reverse',
  'task.sokoban.boxes': 2,
  'task.levels': 3,
});

const contextOf = (plan: Plan, update = 0): SourceContext => sourceContext(plan, 1, update);
const tasksOf = (source: TaskSource, plan: Plan, state: Record<string, Float64Array>, params: object, update = 0) =>
  source.next(state, contextOf(plan, update), params as never);

/** Distance of the start of a task to the goal, and the shortest way of its level. */
function distanceOf(plan: Plan, { levelSeed, start }: Task) {
  const from = distancesOf(plan.env, plan.level(levelSeed) as object)!;
  if (start === 'initial') return { d: from.best, best: from.best, k: 0, from };
  const k = from.states.findIndex((state) => state.subarray(0, -1).every((word, w) => word === start[w]));
  return { d: from.toGoal[k]!, best: from.best, k, from };
}

describe('starts of many kinds', () => {
  test('a family is drawn by its share, whatever they sum to, and the first where all are 0', () => {
    const shares = { natural: 1, random: 0, partial: 2, nearGoal: 1 };
    const hits = Object.fromEntries(FAMILIES.map((name) => [name, 0])) as Record<string, number>;
    for (let k = 0; k < 400; k++) hits[familyAt(shares, k / 400)]!++;
    expect(hits).toEqual({ natural: 100, random: 0, partial: 200, nearGoal: 100 });
    expect(familyAt({ natural: 0, random: 0, partial: 0, nearGoal: 0 }, 0.5)).toBe('natural');
    expect(familyAt({ natural: 0, random: 0, partial: 0, nearGoal: 1 }, 1 - 2 ** -24)).toBe('nearGoal');
  });

  test.each([
    ['key and door', keyDoor],
    ['two boxes', boxes],
  ])('in %s each family is what it says', (_name, plan) => {
    const from = distancesOf(plan.env, plan.level(plan.firstLevelSeed) as object)!;
    const of = familiesOf(plan.env, from);
    const layer = (k: number): string => plan.env.layer(from.states[k]!, 0);
    expect(of.random.every((k) => layer(k) === layer(0))).toBe(true);
    expect(of.partial.every((k) => layer(k) !== layer(0) && from.toGoal[k]! < from.best)).toBe(true);
    expect(of.nearGoal.every((k) => from.toGoal[k]! <= Math.max(1, from.best / 4))).toBe(true);
    // on this board the agent cannot take a step without a push
    const missing = FAMILIES.filter((name) => of[name].length === 0);
    expect(missing).toEqual(plan === boxes ? ['random'] : []);
  });

  test('about a quarter of the tasks is of each family, every start has steps enough, and the whole group shares it', () => {
    const tasks = tasksOf(omniReset, keyDoor, {}, defaultsOf(omniReset.params));
    const natural = tasks.filter(({ start }) => start === 'initial').length;
    expect(natural).toBeGreaterThan(60);
    expect(natural).toBeLessThan(140);
    for (const task of tasks) {
      expect(task.tries).toBe(2);
      const { d, k, from } = distanceOf(keyDoor, task);
      const used = usedSteps(task.start);
      expect(used).toBe(task.start === 'initial' ? 0 : Math.min(from.fromStart[k]!, keyDoor.T - 4));
      expect(d).toBeLessThanOrEqual(keyDoor.T - used);
    }
  });

  test('what is seen of a saved state is what an episode sees that came there', () => {
    for (const task of tasksOf(omniReset, keyDoor, {}, { natural: 0, random: 1, partial: 1, nearGoal: 1 })) {
      if (task.start === 'initial') continue;
      const bits = new Uint32Array(keyDoor.obsWords);
      const level = keyDoor.level(task.levelSeed);
      keyDoor.env.observe(level, Uint32Array.from(task.start), 0, bits, 0);
      expect(bits.some((word) => word !== 0)).toBe(true);
      const { from, k } = distanceOf(keyDoor, task);
      expect(k).toBeGreaterThanOrEqual(0);
      expect(from.toGoal[k]).toBeGreaterThan(0);
    }
  });
});

describe('starts from the goal outwards', () => {
  const params = defaultsOf(startDistance.params);
  const fresh = () => ({ grown: new Float64Array(1), count: new Float64Array(1), won: new Float64Array(1) });
  const outcome = (task: Task, success: number, tries = 2): TaskOutcome => ({
    ...{ task, tries, success, returnMean: success, returnSpread: 0, creditSize: NaN, valueError: NaN },
  });

  test('a share of the way is at least one step, and rounding never adds one', () => {
    expect([0, 0.01, 0.1, 0.3, 0.7, 1].map((share) => distanceAt(share, 10))).toEqual([1, 1, 1, 3, 7, 10]);
  });

  test('rings on shortest ways are parts of those of all states, and no way misses a ring', () => {
    const from = distancesOf(boxes.env, boxes.level(boxes.firstLevelSeed) as object)!;
    for (let d = 1; d <= from.best; d++) {
      const [way, all] = [ring(from, d, 'way'), ring(from, d, 'all')];
      expect(way.length).toBeGreaterThan(0);
      expect(way.every((k) => all.includes(k) && from.fromStart[k]! + d === from.best)).toBe(true);
    }
  });

  test('most tasks begin at the present distance, a quarter of them nearer, and at the end all at the start', () => {
    for (const grown of [0, 0.35, 0.95]) {
      const tasks = tasksOf(startDistance, boxes, { ...fresh(), grown: Float64Array.of(grown) }, params);
      let nearer = 0;
      for (const task of tasks) {
        const { d, best } = distanceOf(boxes, task);
        const now = distanceAt(Math.min(1, 0.1 + grown), best);
        if (task.tag === 1) expect(d).toBe(now);
        else {
          expect(d).toBeLessThan(now);
          nearer++;
        }
      }
      expect(nearer / tasks.length).toBeLessThan(0.35);
      if (grown > 0) expect(nearer / tasks.length).toBeGreaterThan(0.15);
    }
    const last = tasksOf(startDistance, boxes, { ...fresh(), grown: Float64Array.of(1) }, { ...params, rehearse: 0 });
    expect(last.every(({ start }) => start === 'initial')).toBe(true);
  });

  test('the distance grows once a window of its episodes succeeds often enough, by hand: 3 of 4 at a threshold of 0.7', () => {
    const state = fresh();
    const [task] = tasksOf(startDistance, boxes, state, { ...params, rehearse: 0 });
    const rule = { ...params, window: 8, grow: 0.2 };
    const report = (success: number): void =>
      startDistance.report!(state, [outcome(task!, success, 4)], contextOf(boxes), rule);
    report(0.75);
    expect([state.grown[0], state.count[0], state.won[0]]).toEqual([0, 4, 3]);
    report(0.75);
    expect([state.grown[0], state.count[0], state.won[0]]).toEqual([0.2, 0, 0]);
    report(0.5);
    report(0.75);
    // 5 of 8: as far as before, and counted anew
    expect([state.grown[0], state.count[0], state.won[0]]).toEqual([0.2, 0, 0]);
  });

  test('rehearsals and groups without a try of the policy itself do not count, and the start is the farthest there is', () => {
    const state = { ...fresh(), grown: Float64Array.of(0.9) };
    const [task] = tasksOf(startDistance, boxes, state, { ...params, rehearse: 0 });
    const rule = { ...params, window: 1 };
    const report = (t: Task, tries: number): void =>
      startDistance.report!(state, [outcome(t, 1, tries)], contextOf(boxes), rule);
    report({ ...task!, tag: 0 }, 4);
    report(task!, 0);
    report(task!, 4);
    expect([state.grown[0], state.count[0]]).toEqual([0.9, 0]);
  });

  test('whatever is reported, the distance never shrinks and never grows by more than one step', () => {
    const reports = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 64 })));
    fc.assert(
      fc.property(reports, fc.double({ min: 0.01, max: 1, noNaN: true }), (list, threshold) => {
        const state = fresh();
        const [task] = tasksOf(startDistance, keyDoor, state, { ...params, rehearse: 0 });
        for (const [success, tries] of list) {
          const before = state.grown[0]!;
          startDistance.report!(state, [outcome(task!, success, tries)], contextOf(keyDoor), { ...params, threshold });
          expect(state.grown[0]! - before).toBeGreaterThanOrEqual(0);
          expect(state.grown[0]! - before).toBeLessThanOrEqual(params.grow + 1e-12);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('snapshots of a teacher', () => {
  const params = defaultsOf(snapshotRl.params);
  const from = distancesOf(boxes.env, boxes.level(boxes.firstLevelSeed) as object)!;
  const taught = {
    env: boxes.env,
    level: boxes.level(boxes.firstLevelSeed) as object,
    levelSeed: boxes.firstLevelSeed,
    from,
  };

  test('their share falls from 1 to 0 over the early phase, by hand: 0.3 of 100 updates', () => {
    expect([0, 15, 30, 80].map((u) => shareAt(u, 100, 0.3))).toEqual([1, 0.5, 0, 0]);
  });

  test('bins of the distance are equal, and the last one holds the farthest', () => {
    expect([1, 2, 3, 4, 5, 8, 9].map((d) => classOf(d, 8, 4))).toEqual([0, 0, 1, 1, 2, 3, 3]);
  });

  test('without chance a teacher passes the states of one shortest way, with chance more of them, and always the same', () => {
    const sure = snapshotsOf(taught, boxes.T, 0);
    expect(sure.map((k) => from.toGoal[k]!).sort((a, b) => b - a)).toEqual(
      Array.from({ length: from.best }, (_, k) => from.best - k),
    );
    expect(sure.every((k) => from.fromStart[k]! + from.toGoal[k]! === from.best)).toBe(true);
    const noisy = snapshotsOf(taught, boxes.T, 0.4);
    expect(noisy.length).toBeGreaterThan(sure.length);
    expect(snapshotsOf({ ...taught, from: { ...from } }, boxes.T, 0.4)).toEqual(noisy);
  });

  test('in the first update all tasks begin in snapshots, evenly over the classes, and are cut soon after; later none does', () => {
    const tasks = tasksOf(snapshotRl, boxes, {}, params);
    const counts = new Map<number, number>();
    for (const task of tasks) {
      const { d, best } = distanceOf(boxes, task);
      const least = Math.min(boxes.T, usedSteps(task.start) + Math.max(8, Math.ceil(boxes.T / 4)));
      expect(task.maxSteps === 0 ? boxes.T : task.maxSteps).toBe(least);
      const bin = classOf(d, best, 8);
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
    }
    // 400 tasks over 8 classes
    expect(counts.size).toBe(8);
    for (const n of counts.values()) expect(n).toBeGreaterThan(20);
    const later = tasksOf(snapshotRl, boxes, {}, params, boxes.updates);
    expect(later.every(({ start, maxSteps }) => start === 'initial' && maxSteps === 0)).toBe(true);
  });
});
