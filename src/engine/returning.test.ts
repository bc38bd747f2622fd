import { expect, test } from 'vitest';
import { thetaOf, tensorsOf } from '../contract/state.ts';
import { metricOf as of, SMALL, SPEAR } from '../slots/rollout/sampleReturning.ts';
import { sampleRun, train } from './sampleRun.ts';

test('stored episodes train, cost no step of the world, and leave everything alone where their weight is 0', async () => {
  const plain = await sampleRun(SMALL);
  const idle = await sampleRun({ ...SPEAR, 'rollout.spear.coef': 0 });
  const spear = await sampleRun(SPEAR);
  const [a, b, c] = [await train(plain, 12), await train(idle, 12), await train(spear, 12)];
  expect(await idle.digest()).toEqual(await plain.digest());
  expect(thetaOf((await idle.checkpoint()).state)).toEqual(thetaOf((await plain.checkpoint()).state));
  expect(b.map(({ stepsOf }) => stepsOf)).toEqual(a.map(({ stepsOf }) => stepsOf));
  // the first batch is the same; later ones are played by another policy
  expect(c[0]!.hash).toEqual(a[0]!.hash);
  expect(await spear.digest()).not.toEqual(await plain.digest());
  const again = c.map((record) => of(record, 'againRows'));
  expect(again[0]).toBe(0);
  expect(Math.max(...again)).toBeGreaterThan(0);
  expect(Math.max(...again)).toBeLessThanOrEqual(6);
});

test('what is stored earns the same when it is played again, in worlds with chance, delays and words', async () => {
  const worlds: Readonly<Record<string, unknown>>[] = [
    { 'task.grid.slip': [1, 8, 1] },
    { 'task.actionDelay': 1, 'policy.method': 'mlp' },
    { 'task.method': 'textmaze', 'policy.method': 'transformer', 'policy.transformer.width': 16, 'run.seeds': 1 },
  ];
  for (const world of worlds) {
    const run = await sampleRun({ ...SPEAR, ...world });
    const records = await train(run, 11);
    const { rows } = tensorsOf((await run.checkpoint()).state.tensors, 'spear');
    const stored = rows!.some((x) => x !== 0);
    const again = Math.max(...records.map((record) => of(record, 'againRows')));
    // nothing that was good was left out
    for (const record of records)
      if (of(record, 'againKept') > 0 && record.update > 0) expect(of(record, 'againRows')).toBeGreaterThan(0);
    expect({ world, stored, again: again > 0 }).toEqual({ world, stored: true, again: true });
  }
});

test('a pause, and a seed beside another one, change nothing of what is remembered', async () => {
  const whole = await sampleRun(SPEAR);
  await train(whole, 12);
  const first = await sampleRun(SPEAR);
  await train(first, 7);
  const second = await sampleRun(SPEAR);
  await second.restore(await first.checkpoint());
  await train(second, 5);
  expect((await second.checkpoint()).state).toEqual((await whole.checkpoint()).state);
  const alone = await sampleRun({ ...SPEAR, 'run.seeds': 1, 'run.seed': Number(whole.config.run['seed']) + 1 });
  await train(alone, 12);
  expect((await alone.digest()).perSeed[0]).toBe((await whole.digest()).perSeed[1]);
});

test('steps of searches are charged, and only in updates that search', async () => {
  const expert = { ...SMALL, 'rollout.method': 'expertIteration', 'rollout.expertIteration.every': 3 };
  const [plain, searching] = [await sampleRun(SMALL), await sampleRun(expert)];
  const [a, b] = [await train(plain, 3), await train(searching, 3)];
  expect(b.map(({ hash }) => hash)).toEqual(a.map(({ hash }) => hash));
  const more = b.map(({ stepsOf }, u) => stepsOf[0]! - a[u]!.stepsOf[0]!);
  expect(more.slice(0, 2)).toEqual([0, 0]);
  expect(more[2]).toBeGreaterThan(0);
  expect(more[2]).toBeLessThanOrEqual(3 * 400);
});
