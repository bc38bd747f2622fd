import { expect, test } from 'vitest';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { configWith } from '../config/schema.ts';
import { checkRules } from '../config/rules.ts';
import { mean } from '../core/stats.ts';
import { Grounds } from '../lab/creditGround.ts';
import { exactAt, exactTruths, rowsOfSteps, type Truths } from '../lab/creditExact.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.seeds': 2, 'task.grid.level': 'keyDoor', 'advantage.method': 'dual' },
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'policy.mlp.hidden': [8], 'task.grid.maxSteps': 20 },
  'analysis.evalEvery': 0,
};

test('the exact score of a step is the exact advantage that the credit views show', async () => {
  const run = await sampleRun(SMALL);
  await train(run, 3);
  const view = await run.backend.view(1);
  const { plan } = run;
  const steps = exactTruths(new Grounds(plan), view);
  let last = steps.next();
  while (!last.done) last = steps.next();
  const truths = last.value as Truths;
  const { length, action, processScore } = view.batch;
  const rows = rowsOfSteps(plan, truths, { length, state: view.state });
  let largest = 0;
  for (let i = 0; i < plan.B; i++)
    for (let t = 0; t < length[i]!; t++) {
      const k = i * plan.T + t;
      const want = exactAt(truths.all[truths.of[i]!]!, plan.actions, t, rows[k]!, action[k]!);
      expect(processScore![k]).toBe(Math.fround(want));
      largest = Math.max(largest, Math.abs(want));
    }
  expect(largest).toBeGreaterThan(0.001);
});

test('the score from restored states comes near the exact one as episodes are added, and its steps are charged', async () => {
  const errorOf = async (tries: number): Promise<{ error: number; charged: number }> => {
    const scores = async (score: string) => {
      const run = await sampleRun({
        ...SMALL,
        'run.seeds': 1,
        'task.grid.level': 'corridor',
        'task.grid.n': 5,
        ...of(score, tries),
      });
      const [record] = await train(run, 1);
      const { batch } = await run.backend.view(0);
      return { psi: batch.processScore!, played: batch.length.reduce((a, b) => a + b, 0), charged: record!.envSteps };
    };
    const [exact, simulated] = [await scores('exact'), await scores('simulated')];
    expect(exact.charged).toBe(exact.played);
    const error = mean(exact.psi.map((x, k) => Math.abs(x - simulated.psi[k]!)));
    return { error, charged: simulated.charged - simulated.played };
  };
  const of = (score: string, tries: number) => ({ 'advantage.dual.score': score, 'advantage.dual.tries': tries });
  const [few, many] = [await errorOf(1), await errorOf(64)];
  expect(many.charged).toBeGreaterThan(32 * few.charged);
  expect(many.error).toBeLessThan(few.error / 3);
});

test('a signal scores a step by how much it rose, and possible actions by 1', async () => {
  const view = async (score: string) => {
    const run = await sampleRun({ ...SMALL, 'advantage.dual.score': score });
    await train(run, 1);
    return (await run.backend.view(0)).batch;
  };
  const [risen, possible] = [await view('distance'), await view('possible')];
  for (let i = 0; i < risen.B; i++)
    for (let t = 0; t < risen.length[i]!; t++) {
      const at = i * (risen.T + 1) + t;
      expect(risen.processScore![i * risen.T + t]).toBe(Math.fround(risen.phi![at + 1]! - risen.phi![at]!));
      expect(possible.processScore![i * risen.T + t]).toBe(possible.grounded![i * risen.T + t]);
    }
  expect(new Set(possible.processScore).size).toBe(2);
});

test('where no episode succeeds, exact scores teach five of five seeds, and outcomes at most one', async () => {
  const changes = {
    ...{ 'run.backend': 'cpu', 'run.seeds': 5, 'task.grid.level': 'corridor', 'task.grid.n': 40, 'run.updates': 40 },
    ...{ 'policy.method': 'tabular', 'optimizer.learningRate': 0.1, 'analysis.evalEvery': 0 },
    ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 8 },
  };
  const last = async (set: object): Promise<number[]> => {
    const run = await sampleRun({ ...changes, ...set });
    const records = (await train(run, 40)).slice(-5);
    const width = records[0]!.metrics.length / 5;
    return Array.from({ length: 5 }, (_, s) => mean(records.map((r) => r.metrics[s * width + metricIndex.success]!)));
  };
  const exact = await last({ 'advantage.method': 'dual' });
  const outcome = await last({ 'advantage.method': 'grpo' });
  expect(
    exact.filter((x) => x >= 0.8),
    exact.join(' '),
  ).toHaveLength(5);
  expect(outcome.filter((x) => x >= 0.8).length, outcome.join(' ')).toBeLessThanOrEqual(1);
});

test('a policy that remembers, a restricted choice and a level that is too large are refused at the score', () => {
  const issues = (changes: object): string[] =>
    checkRules(configWith({ ...SMALL, ...changes }))
      .filter(({ path, severity }) => path === 'advantage.dual.score' && severity === 'error')
      .map(({ message }) => message);
  expect(issues({})).toEqual([]);
  expect(issues({ 'policy.method': 'gru' })[0]).toContain('remembers');
  expect(issues({ 'objective.method': 'nlpo' })[0]).toContain('restricts');
  expect(issues({ 'task.rewardDelay': 2 })[0]).toContain('paid late');
  expect(issues({ 'policy.method': 'gru', 'advantage.dual.score': 'new' })).toEqual([]);
});

test.each([
  ['before every step', { 'task.notes.symbols': 2 }],
  ['when the context is full', { 'task.notes.mode': 'onLimit', 'task.notes.context': 2 }],
])(
  'notes written %s gain no information: the answer is as probable as at the step behind them',
  async (_how, notes) => {
    const run = await sampleRun({
      ...{ 'run.backend': 'cpu', 'run.seeds': 1, 'task.question.on': true, 'task.grid.level': 'custom' },
      ...{
        'task.grid.text': 'S..G',
        'task.grid.maxSteps': 8,
        'task.grid.maskActions': true,
        'advantage.method': 'igpo',
      },
      ...{ 'task.notes.on': true, 'policy.method': 'mlp', 'policy.mlp.hidden': [8], 'analysis.evalEvery': 0 },
      ...{ 'rollout.tasksPerBatch': 8, 'rollout.groupSize': 64 },
      ...notes,
    });
    await train(run, 1);
    const { plan } = run;
    const { batch, state, probs } = await run.backend.view(0);
    const { T, env, actions } = plan;
    const { asks, notebook } = env;
    const first = asks!.first(plan.level(plan.firstLevelSeed));
    let [written, moved] = [0, 0];
    for (let i = 0; i < plan.B; i++)
      for (let t = 0; t < batch.length[i]!; t++) {
        const p = (at: number): number => batch.answerProb![i * (T + 1) + at]!;
        if (notebook!.isDue(state, (i * (T + 1) + t) * env.words)) {
          expect(p(t)).toBe(p(t + 1));
          written++;
          continue;
        }
        const of = [0, 1, 2, 3].map((m) => probs[(i * T + t) * actions + first + m]!);
        const all = of.reduce((a, b) => a + b, 0);
        // which of the four is true nobody sees here
        expect(of.some((one) => Math.abs(one / all - p(t)) < 1e-5)).toBe(true);
        moved++;
      }
    expect(Math.min(written, moved)).toBeGreaterThan(20);
  },
);
