import { expect, test } from 'vitest';
import { decodeLink, encodeLink } from '../config/link.ts';
import { configWith } from '../config/schema.ts';
import { usedSteps } from '../contract/tasks.ts';
import { must } from '../core/problem.ts';
import { defaultsOf } from '../core/settings.ts';
import { snapshotsIn } from '../slots/task/lessons.ts';
import { classOf, snapshotRl } from '../slots/task/snapshotRl.ts';
import { sourceContext } from './plannedRows.ts';
import { createRun } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.seeds': 1, 'run.updates': 8, 'policy.mlp.hidden': [8], 'task.levels': 3 },
  ...{ 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 30, 'rollout.tasksPerBatch': 40, 'rollout.groupSize': 2 },
};

/** The last batch of a stored run as a person writes it into another experiment. */
async function written() {
  const run = await sampleRun({ ...SMALL, 'run.seed': 3 });
  await train(run, 1);
  const { batch, levelSeeds } = await run.backend.view(0);
  const rows = Array.from({ length: 6 }, (_, k) => 7 * k);
  const actions = run.plan.env.actions(run.plan.level(levelSeeds[0]!) as object);
  const lines = rows.map((i) => {
    const own = Array.from(batch.action.subarray(i * batch.T, i * batch.T + batch.length[i]!));
    return `${levelSeeds[i]!}: ${own.map((a, t) => (t % 2 === 0 ? actions[a] : a)).join(', ')}`;
  });
  return { run, batch, rows, text: lines.join('\n') };
}

test('what is written is the states that the stored run came through, with as many steps used', async () => {
  const { run, batch, rows, text } = await written();
  const { world } = sourceContext(run.plan, 3, 0);
  const shown = snapshotsIn(text, world!, 4);
  const key = new Uint32Array(2);
  let at = 0;
  for (const i of rows)
    for (let t = 0; t < Math.min(batch.length[i]!, 27); t++, at++) {
      const { levelSeed, state, left } = shown[at]!;
      run.plan.env.key(world!.level(levelSeed), Uint32Array.from(state), 0, key, 0);
      expect([...key]).toEqual([...batch.stateKey.subarray(2 * (i * batch.T + t), 2 * (i * batch.T + t) + 2)]);
      expect(usedSteps(state)).toBe(t);
      expect(left).toBe(batch.length[i]! - t);
    }
  expect(shown.length).toBe(at);
  // nobody can take an action that is not there: the lesson ends before it
  expect(snapshotsIn('1: 0, fly, 0', world!, 4).length).toBe(1);
  expect(snapshotsIn('1: 0, 99, 0', world!, 4).length).toBe(1);
});

test('tasks begin in them, each class of the steps left as often, and later none does', async () => {
  const { run, text } = await written();
  const params = { ...defaultsOf(snapshotRl.params), teacher: 'episodes', episodes: text, classes: 3 } as const;
  const context = sourceContext(run.plan, 3, 0);
  const shown = snapshotsIn(text, context.world!, 4);
  const farthest = Math.max(...shown.map(({ left }) => left));
  const tasks = Array.from({ length: 10 }, (_, seed) => snapshotRl.next({}, sourceContext(run.plan, seed, 0), params));
  const counts = [0, 0, 0];
  for (const { levelSeed, start, maxSteps } of tasks.flat()) {
    const words = String(start);
    const found = shown.filter(
      (one) => one.levelSeed === levelSeed && (String(one.state) === words || start === 'initial'),
    );
    expect(found.length).toBeGreaterThan(0);
    const used = usedSteps(start);
    expect(maxSteps === 0 ? 30 : maxSteps).toBe(Math.min(30, used + 8));
    if (start !== 'initial') counts[classOf(found[0]!.left, farthest, 3)]!++;
  }
  // 400 tasks over three classes; those from the very start are of the last one
  for (const n of counts.slice(0, 2)) expect(Math.abs(n - 400 / 3)).toBeLessThan(40);
  const later = snapshotRl.next({}, sourceContext(run.plan, 3, run.plan.updates), params);
  expect(later.every(({ start }) => start === 'initial')).toBe(true);
});

test('an experiment with episodes of another run is repeated by its link, bit for bit', async () => {
  const { text } = await written();
  const config = configWith({
    ...{ ...SMALL, 'rollout.tasksPerBatch': 4, 'source.method': 'snapshotRl', 'source.snapshotRl.phase': 1 },
    ...{ 'source.snapshotRl.teacher': 'episodes', 'source.snapshotRl.episodes': text },
  });
  const runs = [must(await createRun(config)), must(await createRun(must(decodeLink(encodeLink({ config }))).config))];
  for (const run of runs) await train(run, 4);
  expect(await runs[1]!.digest()).toEqual(await runs[0]!.digest());
  const other = must(await createRun(configWith({ 'source.snapshotRl.teacher': 'solver' }, config)));
  await train(other, 4);
  expect(await other.digest()).not.toEqual(await runs[0]!.digest());
});
