import { describe, expect, test, vi } from 'vitest';
import { estimateCost } from '../config/cost.ts';
import { forkConfig } from '../config/fork.ts';
import { prepareTask } from '../config/level.ts';
import { decodeLink, encodeLink } from '../config/link.ts';
import { checkRules } from '../config/rules.ts';
import { configWith, setValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { replicasOf } from '../contract/state.ts';
import { must } from '../core/problem.ts';
import { PURPOSE } from '../core/random.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { rollouts, sources } from '../slots/registry.ts';
import type { RolloutScheme } from '../slots/rollout/types.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import type { Plan } from './plan.ts';
import { createRun, Run } from './run.ts';
import { train } from './sampleRun.ts';

/** The arguments of every draw since somebody began to listen. */
type Draw = readonly [number, number, number, number, number];
const heard = vi.hoisted((): { draws: Draw[] | null } => ({ draws: null }));
vi.mock('../core/random.ts', async (original) => {
  const own = await original<typeof import('../core/random.ts')>();
  const random: typeof own.random = (...of) => {
    heard.draws?.push(of);
    return own.random(...of);
  };
  return { ...own, random };
});

/** Rooms with a goal somewhere, small enough for many runs; some groups agree and others do not. */
const SMALL = {
  ...{ 'run.backend': 'cpu', 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 10, 'task.levels': 6 },
  ...{ 'policy.mlp.hidden': [6], 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 6, 'objective.minibatches': 2 },
  ...{ 'run.seed': 4, 'run.seeds': 2, 'run.updates': 6, 'analysis.evalEvery': 2 },
  // a few steps of the critics that rollouts keep
  ...{ 'rollout.archer.looks': 3, 'rollout.archer.sample': 8, 'rollout.archer.kept': 64 },
  ...{ 'rollout.vscRl.looks': 3, 'rollout.vscRl.sample': 8, 'rollout.vscRl.kept': 64 },
};

/** An experiment behind the buttons that its rules offer. */
function repaired(changes: Readonly<Record<string, unknown>>): Config {
  let config = configWith({ ...SMALL, ...changes });
  for (let press = 0; press < 8; press++) {
    const wrong = checkRules(config).find(({ severity }) => severity === 'error');
    if (!wrong) return config;
    config = wrong.repair!.set.reduce((c, { path, value }) => setValue(c, path, value), config);
  }
  throw new Error('The rules do not end.');
}

const BY_CREDIT = { 'rollout.dynamicSampling.filter': 'advantage', 'rollout.valueResampling.filter': 'advantage' };
const MORE: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['groups kept by credit', { 'rollout.method': 'dynamicSampling', ...BY_CREDIT }],
  ['second tries by credit', { 'rollout.method': 'valueResampling', ...BY_CREDIT }],
  [
    'budgets for levels that are always new',
    { 'source.method': 'knapsack', 'source.knapsack.unseen': 'predicted', 'task.levels': 0 },
  ],
  ['forks beside greedy episodes', { 'rollout.method': 'arpo', 'advantage.method': 'remax' }],
  [
    'tree search with a cache',
    { 'rollout.method': 'deepSearch', 'rollout.deepSearch.cache': 4, 'rollout.deepSearch.hardUpTo': 0.9 },
  ],
  ['rounds beside greedy episodes', { 'rollout.method': 'dynamicSampling', 'advantage.method': 'remax' }],
];

const ALL = [
  ...rollouts.map(({ id }) => [`rollout ${id}`, { 'rollout.method': id }] as const),
  [
    'search that is retrained on a plateau',
    {
      ...{ 'rollout.method': 'expertIteration', 'rollout.expertIteration.plateau': 'restart' },
      ...{ 'rollout.expertIteration.window': 2, 'rollout.expertIteration.passes': 2 },
    },
  ] as const,
  ['hints from the first update on', { 'rollout.method': 'scafGrpo', 'rollout.scafGrpo.warmup': 0 }] as const,
  ...sources.map(({ id }) => [`task source ${id}`, { 'source.method': id }] as const),
  // what one kind decides the other has to bear
  ...rollouts.flatMap(({ id, round }) =>
    round
      ? [[`rollout ${id} with levelReplay`, { 'rollout.method': id, 'source.method': 'levelReplay' }] as const]
      : [],
  ),
  // settings that look at more, and episodes that are played beside a batch
  ...MORE,
];

const opened = async (config: Config): Promise<Run> => {
  await prepareTask(config);
  return must(await createRun(config));
};
/** The same experiment with plain sampling of levels that are drawn evenly. */
const without = (config: Config): Config =>
  configWith({ 'rollout.method': rollouts[0]!.id, 'source.method': sources[0]!.id }, config);
const stateOf = async (run: Run) => (await run.checkpoint()).state;

/** The same scheme, which looks at a world of its own: steps that it tries out there are not taken. */
function lookingElsewhere(scheme: RolloutScheme, env: Plan['env']): RolloutScheme {
  const { next, round, take, settle } = scheme;
  return {
    ...scheme,
    ...(next ? { next: (seen, context) => next(seen, { ...context, env }) } : {}),
    ...(round ? { round: (seen, context, n) => round(seen, { ...context, env }, n) } : {}),
    ...(take ? { take: (seen, played, context, n) => take(seen, played, { ...context, env }, n) } : {}),
    ...(settle ? { settle: (seen, context) => settle(seen, { ...context, env }) } : {}),
  };
}

describe.each(ALL)('%s', (_, changes) => {
  test('charges the steps that it took, counted where the world takes them', async () => {
    const config = repaired({ ...changes, 'analysis.evalEvery': 0 });
    const { whole } = await opened(config);
    const comesBack = rollouts.find(({ id }) => id === config.rollout.method)!.memory !== undefined;
    let steps = 0;
    const env: Plan['env'] = {
      ...whole.env,
      step: (...of) => {
        steps++;
        whole.env.step(...of);
      },
    };
    const scheme = whole.scheme && lookingElsewhere(whole.scheme, whole.env);
    // so does a source: what its solver or its teacher tries out is no step of the agent
    const source: Plan['source'] = {
      ...whole.source,
      next: (state, { world, ...context }, params) =>
        whole.source.next(state, { ...context, ...(world ? { world: { ...world, env: whole.env } } : {}) }, params),
    };
    const run = await Run.create({ ...whole, env, scheme, source }, makeCpuBackend);
    const { mostSteps } = estimateCost(config, null)!;
    let charged = 0;
    for (let u = 0; u < 5; u++) {
      const before = steps;
      const { envSteps, stepsOf } = await run.submit();
      // stored episodes come back for free: their steps were charged when they were played
      if (comesBack) expect(envSteps).toBeLessThanOrEqual(steps - before);
      else expect(envSteps).toBe(steps - before);
      expect(stepsOf[0]! + stepsOf[1]!).toBe(envSteps);
      charged += envSteps;
    }
    // and no more than the form told
    expect(charged).toBeLessThanOrEqual(5 * mostSteps);
  });

  test('pauses, resumes, goes through a link and a fork, and trains seeds side by side as alone, to the bit', async () => {
    const config = repaired(changes);
    const run = await opened(must(decodeLink(encodeLink({ config }))).config);
    const records = await train(run, 3);
    const saved = await run.checkpoint();
    records.push(...(await train(run, 3)));
    const end = await stateOf(run);
    for (const { bad, metrics } of records) {
      expect([...bad]).toEqual([0, 0]);
      expect(metrics.some((x) => Math.abs(x) === Infinity)).toBe(false);
    }

    const resumed = await Run.create(run.whole, makeCpuBackend, saved);
    expect(await train(resumed, 3)).toEqual(records.slice(3));
    expect(await stateOf(resumed)).toEqual(end);
    await run.restore(saved);
    expect(await train(run, 3)).toEqual(records.slice(3));

    for (const s of [0, 1]) {
      const alone = await opened(configWith({ 'run.seed': 4 + s, 'run.seeds': 1 }, config));
      const own = await train(alone, 6);
      expect(own.map(({ metrics }) => [...metrics])).toEqual(
        records.map(({ metrics }) => [...metrics.subarray(s * METRICS, (s + 1) * METRICS)]),
      );
      expect(await stateOf(alone)).toEqual(replicasOf(end, 2, s, 1));
    }

    // a fork with another learning rate repeats its parent, and can be paused itself
    const fork = await opened(forkConfig(config, 3, configWith({ 'optimizer.learningRate': 0.02 }, config)));
    expect((await train(fork, 4)).slice(0, 3)).toEqual(records.slice(0, 3));
    const middle = await fork.checkpoint();
    await train(fork, 2);
    const again = await Run.create(fork.whole, makeCpuBackend, middle);
    await train(again, 2);
    expect(await stateOf(again)).toEqual(await stateOf(fork));

    // one that begins with it where the parent had none
    const plain = await opened(forkConfig(without(config), 2, config));
    for (const { bad } of await train(plain, 4)) expect([...bad]).toEqual([0, 0]);
  });

  test('changes no draw of others: evaluation and weights begin as without it, and no draw of an action is used twice', async () => {
    const config = repaired(changes);
    const firstOf = async (of: Config) => {
      const run = await opened(of);
      const draws: Draw[] = (heard.draws = []);
      const [record] = await train(run, 1);
      heard.draws = null;
      const at = (s: number): number => record!.metrics[s * METRICS + metricIndex.evalSuccess]!;
      return { evaluated: [at(0), at(1)], calls: draws };
    };
    const plain = await firstOf(without(config));
    const own = await firstOf(config);
    expect(own.evaluated).toEqual(plain.evaluated);
    const drawnFor = (purpose: number): string[] =>
      own.calls.filter((key) => key[1] === purpose).map((key) => key.join(' '));
    const actions = drawnFor(PURPOSE.action);
    // a row whose actions are told draws none, and what tells them has drawn instead
    expect(actions.length + drawnFor(PURPOSE.branch).length).toBeGreaterThan(30);
    expect(new Set(actions).size).toBe(actions.length);
    // what decides is drawn for a purpose that nobody else has
    const evaluations: number[] = [PURPOSE.evalEpisode, PURPOSE.evalAction, PURPOSE.evalTask];
    const others = (calls: typeof own.calls) =>
      calls.filter(([, purpose]) => evaluations.includes(purpose)).map((key) => key.join(' '));
    expect(others(own.calls)).toEqual(others(plain.calls));
  });
});
