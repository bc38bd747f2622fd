import { expect, test } from 'vitest';
import { checkRules } from '../config/rules.ts';
import { configWith } from '../config/schema.ts';
import { groupsOf } from '../core/batch.ts';
import { isDegenerate } from '../core/stats.ts';
import { estimators } from '../slots/methods.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { creditSizes } from './cpu/roundCredit.ts';
import { sampleRun, train } from './sampleRun.ts';

const ROOMS = {
  ...{ 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 14, 'task.levels': 6, 'policy.mlp.hidden': [8] },
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 5, 'run.seeds': 1, 'analysis.evalEvery': 0 },
};
/** Often all episodes of a group get to the end, some sooner than others. */
const CORRIDOR = { 'task.grid.level': 'corridor', 'task.grid.n': 5, 'task.grid.maxSteps': 30 };
const filtered = (filter: string, method: string, rollout = 'dynamicSampling') => ({
  ...{ ...ROOMS, 'advantage.method': method, 'rollout.method': rollout, [`rollout.${rollout}.filter`]: filter },
});

test.each(['grpo', 'drGrpo', 'rloo'])(
  'with credit that compares outcomes it is the filter by outcome, bit for bit: %s',
  async (method) => {
    for (const rollout of ['dynamicSampling', 'valueResampling']) {
      const [one, two] = [
        await sampleRun(filtered('outcome', method, rollout)),
        await sampleRun(filtered('advantage', method, rollout)),
      ];
      expect(await train(two, 4)).toEqual(await train(one, 4));
      expect(two.series.at(0, 0, metricIndex.rounds)).toBeGreaterThan(1);
    }
  },
);

test('credit that judges steps keeps groups that agree, and plays fewer rounds', async () => {
  const runs = await Promise.all(
    ['outcome', 'advantage'].map((filter) => sampleRun({ ...filtered(filter, 'gigpo'), ...CORRIDOR })),
  );
  const [outcome, advantage] = runs as [(typeof runs)[0], (typeof runs)[0]];
  let agreed = 0;
  for (let u = 0; u < 4; u++) {
    await outcome.submit();
    await advantage.submit();
    const { batch, A } = await advantage.backend.view(0);
    for (const rows of groupsOf(batch)) {
      const trains = rows.every((i) => batch.trains![i] === 1);
      const size = Math.max(...rows.map((i) => Math.max(...A.subarray(i * batch.T, (i + 1) * batch.T).map(Math.abs))));
      expect(trains).toBe(size > 1e-8);
      if (trains && isDegenerate(rows.map((i) => batch.outcome[i]!))) agreed++;
    }
  }
  expect(agreed).toBeGreaterThan(0);
  const roundsOf = (run: typeof outcome) =>
    [0, 1, 2, 3].reduce((n, u) => n + run.series.at(u, 0, metricIndex.rounds), 0);
  expect(roundsOf(advantage)).toBeLessThan(roundsOf(outcome));
});

test('rows that are not there yet have no part in the credit of those that are', async () => {
  const run = await sampleRun({ ...ROOMS, 'advantage.method': 'grpo', 'rollout.method': 'contrast' });
  await train(run, 1);
  const { batch } = await run.backend.view(0);
  const sizes = (count: number) => creditSizes({ plan: run.whole, arrays: { ...batch } as never, s: 0 }, count);
  const [whole, some] = [sizes(15), sizes(10)];
  expect([...some.subarray(0, 10)]).toEqual([...whole.subarray(0, 10)]);
  expect(some.subarray(10).every((x) => x === 0)).toBe(true);
});

test('credit that needs more than what is played is refused with a way out; rewards that are added are told', () => {
  const issues = (changes: Record<string, unknown>) =>
    checkRules(configWith({ ...changes, 'run.backend': 'cpu' })).filter(({ path }) => path === 'rollout.method');
  const refused: string[] = [];
  for (const { id } of estimators) {
    const found = issues({ ...filtered('advantage', id), 'rollout.groupSize': 4 });
    const wrong = found.filter(({ severity, message }) => severity === 'error' && message.includes('credit'));
    if (wrong.length > 0) refused.push(id);
    for (const { repair } of wrong)
      expect(repair!.set).toEqual([{ path: 'advantage.method', value: estimators[0]!.id }]);
  }
  expect(refused).toEqual(LATER);
  const paid = issues({ ...filtered('advantage', 'gigpo'), 'reward.pbrs.on': true });
  expect(paid.map(({ message }) => message)).toContain(
    'judges groups by what the world pays, before any reward is added',
  );
  expect(issues(filtered('outcome', 'remax')).some(({ message }) => message.includes('credit'))).toBe(false);
});

/** Estimators that read greedy episodes, other models, forks, counts of words, or what rewards and signals add. */
const LATER = ['poad', 'himac', 'opo', 'gdpo', 'hbpo', 'remax', 'oprl', 'dual', 'rlvmr', 'igpo', 'arpo', 'nodeValue'];
