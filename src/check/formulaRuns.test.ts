import { expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { problemLine } from '../config/problems.ts';
import { checkRules } from '../config/rules.ts';
import { configWith, defaultConfig } from '../config/schema.ts';
import { defaultsOf } from '../core/settings.ts';
import { makePlan } from '../engine/plan.ts';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { formulaOf } from '../slots/advantage/formula/library.ts';
import { estimators } from '../slots/methods.ts';

await prepareTask(configWith({ 'advantage.method': 'formula' }));

const SMALL = {
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 6, 'task.grid.maxSteps': 24, 'policy.mlp.hidden': [16] },
  ...{ 'run.seeds': 2, 'run.backend': 'cpu', 'optimizer.learningRate': 0.03 },
};
const asText = (text: string) => ({ 'advantage.method': 'formula', 'advantage.formula.text': text });

/** The eight estimators of the first complete experiment. */
const FIRST = ['grpo', 'drGrpo', 'rloo', 'reinforcePP', 'gae', 'gigpo', 'hgpo', 'salt'];
test.each(FIRST)('%s as a text trains the same run, bit for bit', async (id) => {
  const { params } = estimators.find((e) => e.id === id)!;
  const text = formulaOf(id, defaultsOf(params))!;
  const digestAfter = async (changes: object, updates: number): Promise<string> => {
    const run = await sampleRun({ ...SMALL, ...changes });
    await train(run, updates);
    return (await run.digest()).all;
  };
  const built = await digestAfter({ 'advantage.method': id }, 4);
  expect(await digestAfter(asText(text), 4)).toBe(built);
  // blanks and comments are no part of what a run does
  expect(await digestAfter(asText(`# my own\n\n${text.replaceAll(' ', '  ')} `), 4)).toBe(built);
  expect(await digestAfter(asText('0'), 4)).not.toBe(built);
});

test('a text with a fault is one sentence at its field, and nothing of it is compiled', () => {
  const config = configWith({ ...SMALL, ...asText('normalise(outcome, task)') });
  const sentence = 'cannot be read at line 1, column 1: there is no operation normalise; did you mean normalize';
  const issues = checkRules(config).filter(({ severity }) => severity === 'error');
  expect(issues).toMatchObject([
    { path: 'advantage.formula.text', message: sentence, repair: { label: 'start from GiGPO' } },
  ]);
  const plan = makePlan(config);
  expect(plan.ok ? '' : problemLine(plan.problem)).toContain(sentence);
});

test('what a text reads decides on critic, process model, read-back and groups of one', () => {
  const planOf = (text: string) => {
    const plan = makePlan(configWith({ ...SMALL, ...asText(text) }));
    if (!plan.ok) throw new Error(problemLine(plan.problem));
    return plan.value;
  };
  expect(planOf('normalize(gae(), batch)')).toMatchObject({ critic: true });
  expect(planOf('normalize(outcome, task)')).toMatchObject({ critic: false });
  expect(planOf('logpPhi − logp').estimator.process?.settings({})).toMatchObject({ beta: 0.05 });
  expect(planOf('normalize(outcome, task)').estimator.gpu).toBeDefined();
  expect(planOf('novel − 0.5').estimator.gpu).toBeUndefined();
  expect(planOf('novel − 0.5').estimator.needs).toEqual(['length', 'novel']);
  const errors = (text: string) =>
    checkRules(configWith({ ...SMALL, 'rollout.groupSize': 1, ...asText(text) }))
      .filter(({ severity }) => severity === 'error')
      .map(({ path }) => path);
  expect(errors('normalize(outcome, task)')).toEqual(['rollout.groupSize']);
  expect(errors('normalize(returnsToGo(reward), batch)')).toEqual([]);
  expect(errors('planMask')).toEqual(['advantage.formula.text']);
});

test('signals of the world that only the text asks for are there, and a reward module is not needed for them', async () => {
  const run = await sampleRun({
    ...SMALL,
    ...asText('part outcome_ = normalize(outcome, task)\npart new = 0.1 × (novel − mean(novel, batch)) + 0.1 × phi'),
  });
  const [record] = await train(run, 1);
  expect(record!.bad.every((slot) => slot === 0)).toBe(true);
});

test('the default text is GiGPO, and the record says of it what the text says', () => {
  const { made, needs, parts, params } = estimators.find((e) => e.id === 'formula')!;
  const told = made!(defaultsOf(params));
  if (!told.ok) throw new Error(told.message);
  expect([...told.facts.needs!].sort()).toEqual([...needs].sort());
  expect(told.facts.parts).toEqual(parts);
  expect(defaultConfig().advantage['formula']).toEqual({ text: expect.stringContaining('normalizeSets') as string });
});
