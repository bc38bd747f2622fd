import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { checkRules } from '../config/rules.ts';
import { must } from '../core/problem.ts';
import { below, random } from '../core/random.ts';
import { enumerate } from '../envs/enumerate.ts';
import { FLAG } from '../envs/types.ts';
import { makePlan, type Plan } from './plan.ts';

const planOf = (changes: Record<string, unknown>): Plan =>
  must(makePlan(configWith({ 'task.notes.on': true, ...changes })));
const corridor = { 'task.grid.level': 'corridor', 'task.grid.n': 9, 'task.grid.maxSteps': 6 };
const limited = { 'task.notes.mode': 'onLimit', 'task.notes.context': 3 };
const WORLDS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['grid-world', { 'task.grid.level': 'keyDoor', 'task.grid.maxSteps': 8 }],
  [
    'grid-world with slip',
    { 'task.grid.level': 'keyDoor', 'task.grid.slip': [1, 5, 2], 'task.grid.maskActions': true },
  ],
  ['Sokoban behind a delay', { 'task.method': 'sokoban', 'task.sokoban.maxSteps': 12, 'task.actionDelay': 1 }],
  ['text-maze', { 'task.method': 'textmaze', 'task.textmaze.maxSteps': 9, 'task.notes.alphabet': 2 }],
];
const MODES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['before every step', { 'task.notes.symbols': 2 }],
  ['when the context is full', { ...limited, 'task.notes.most': 2 }],
];
const ALL = WORLDS.flatMap(([world, a]) => MODES.map(([mode, b]) => [world, mode, { ...a, ...b }] as const));

/** Plays actions by name, with what is told of each state on the way. */
function played(plan: Plan, names: readonly string[]): string[] {
  const { env, actionNames } = plan;
  const level = plan.level(plan.firstLevelSeed);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  env.reset(level, state, 0);
  return names.map((name) => {
    const legal = env.legal(level, state, 0);
    const action = actionNames.indexOf(name);
    expect((legal >>> action) & 1).toBe(1);
    env.step(level, state, 0, { action, seed: 1 }, result);
    const { note, draft } = env.scene(level, state, 0).note!;
    return `${env.cell(state, 0)} ${note}|${draft} ${result.flags}`;
  });
}

test('corridor by hand, before every step: two symbols, then the move, whose context still holds the note before', () => {
  const plan = planOf({ ...corridor, 'task.notes.symbols': 2, 'task.notes.alphabet': 3 });
  expect(plan.actionNames).toEqual(['right', 'left', 'note a', 'note b', 'note c']);
  // six steps of the world, each with two symbols
  expect(plan.T).toBe(18);
  expect(played(plan, ['note c', 'note a', 'right', 'note b', 'note b', 'right'])).toEqual([
    ...['0 |c 0', '0 |ca 0', '1 ca| 0', '1 ca|b 0', '1 ca|bb 0', '2 bb| 0'],
  ]);
});

test('corridor by hand, when the context is full: a note after every third step, and none after the last', () => {
  const plan = planOf({ ...corridor, ...limited, 'task.notes.symbols': 2 });
  expect(plan.T).toBe(8);
  const walk = ['right', 'right', 'right', 'note d', 'note a', 'right', 'right', 'right'];
  expect(played(plan, walk)).toEqual([
    ...['1 | 0', '2 | 0', '3 | 0', '3 |d 0', '3 da| 0', '4 da| 0', '5 da| 0', `6 da| ${FLAG.truncated}`],
  ]);
  // the observations since the last note, the newest first; a note is written from the three before place 3, the first one
  // of the episode among them, and after it place 3 alone is seen
  const { env, firstLevelSeed } = plan;
  const level = plan.level(firstLevelSeed);
  const bare = must(makePlan(configWith(corridor)));
  const seen = Math.ceil(bare.env.features(level) / 32);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  const places: number[][] = [];
  env.reset(level, state, 0);
  for (const name of walk) {
    const obs = new Uint32Array(plan.obsWords).fill(0xffffffff);
    env.observe(level, state, 0, obs, 0);
    places.push(
      [0, 1, 2].map((k) => {
        const part = obs.subarray(k * seen, (k + 1) * seen);
        const own = new Uint32Array(seen);
        const other = new Uint32Array(bare.env.words);
        bare.env.reset(level, other, 0);
        for (let place = 0; place < 9; place++) {
          bare.env.observe(level, other, 0, own, 0);
          if (own.every((word, w) => word === part[w])) return place;
          bare.env.step(level, other, 0, { action: 0, seed: 1 }, result);
        }
        return -1;
      }),
    );
    env.step(level, state, 0, { action: plan.actionNames.indexOf(name), seed: 1 }, result);
  }
  expect(places).toEqual([
    ...[
      [0, -1, -1],
      [1, 0, -1],
      [2, 1, 0],
      [2, 1, 0],
      [2, 1, 0],
    ],
    ...[
      [3, -1, -1],
      [4, 3, -1],
      [5, 4, 3],
    ],
  ]);
});

test.each(ALL)('in %s, %s: the world is met as without notes, which cost nothing', (_w, _m, changes) => {
  const plan = planOf(changes);
  const { env, actions, firstLevelSeed } = plan;
  const bare = must(makePlan(configWith({ ...changes, 'task.notes.on': false })));
  const [level, plain] = [plan.level(firstLevelSeed), bare.level(bare.firstLevelSeed)];
  const front = env.words - bare.env.words;
  for (let seed = 0; seed < 6; seed++) {
    const [state, other] = [new Uint32Array(env.words), new Uint32Array(bare.env.words)];
    const [result, met] = [
      { reward: 0, flags: 0 },
      { reward: 0, flags: 0 },
    ];
    env.reset(level, state, 0);
    bare.env.reset(plain, other, 0);
    let [t, steps] = [0, 0];
    for (; t < plan.T && (result.flags & 15) === 0; t++) {
      const legal = env.legal(level, state, 0);
      const may = Array.from({ length: actions }, (_, a) => a).filter((a) => ((legal >>> a) & 1) === 1);
      const action = may[below(random(seed, 77, t, 0, 0), may.length)]!;
      const due = env.notebook!.isDue(state, 0);
      expect(may.every((a) => a >= env.notebook!.first(level) === due)).toBe(true);
      const outcomes = env.outcomes(level, state, action);
      // chance is drawn by the clock, so each world moves alone where it slips
      const was = state.slice();
      env.step(level, state, 0, { action, seed }, result);
      expect(state.at(-1)! & 0xffff).toBe(t + 1);
      expect(outcomes.map((o) => o.state.slice(0, -1).join())).toContain(state.slice(0, -1).join());
      if (due) {
        expect(result.reward).toBe(0);
        expect([...state.subarray(front, -1)]).toEqual([...was.subarray(front, -1)]);
        continue;
      }
      steps++;
      if (Array.isArray((changes as Record<string, unknown>)['task.grid.slip'])) continue;
      bare.env.step(plain, other, 0, { action, seed }, met);
      expect([...state.subarray(front, -1)]).toEqual([...other.subarray(0, -1)]);
      expect(result.reward).toBe(met.reward);
      expect(result.flags & 13).toBe(met.flags & 13);
    }
    // cut where the world without notes is cut
    if ((result.flags & FLAG.truncated) !== 0) expect(steps).toBe(bare.T);
    expect(t).toBeLessThanOrEqual(plan.T);
  }
});

test.each(ALL)('in %s, %s: a shortest path with blank notes solves it', (_w, _m, changes) => {
  const plan = planOf({
    ...changes,
    'task.grid.slip': [0, 1, 0],
    'task.grid.maxSteps': 40,
    'task.sokoban.maxSteps': 60,
    'task.textmaze.maxSteps': 60,
  });
  const level = plan.level(plan.firstLevelSeed);
  const state = new Uint32Array(plan.env.words);
  const result = { reward: 0, flags: 0 };
  plan.env.reset(level, state, 0);
  for (const action of plan.env.shortestPath(level)!) {
    expect((plan.env.legal(level, state, 0) >>> action) & 1).toBe(1);
    plan.env.step(level, state, 0, { action, seed: 1 }, result);
  }
  expect(result.flags & FLAG.success).toBe(FLAG.success);
});

test('every observation is there when some note is written, and no more at once than the context holds', () => {
  const plan = planOf({ ...corridor, ...limited, 'task.grid.maxSteps': 12, 'task.grid.n': 16 });
  const { env, firstLevelSeed, actionNames } = plan;
  const level = plan.level(firstLevelSeed);
  const bare = must(makePlan(configWith({ ...corridor, 'task.grid.maxSteps': 12, 'task.grid.n': 16 })));
  const seen = Math.ceil(bare.env.features(level) / 32);
  const state = new Uint32Array(env.words);
  const result = { reward: 0, flags: 0 };
  const newest: string[] = [];
  const noted: string[] = [];
  env.reset(level, state, 0);
  while ((result.flags & 15) === 0) {
    const obs = new Uint32Array(plan.obsWords);
    env.observe(level, state, 0, obs, 0);
    const parts = [0, 1, 2].map((k) => obs.slice(k * seen, (k + 1) * seen).join());
    const due = env.notebook!.isDue(state, 0);
    if (due) noted.push(...parts.reverse());
    else newest.push(parts[0]!);
    env.step(level, state, 0, { action: due ? actionNames.indexOf('note a') : 0, seed: 1 }, result);
  }
  // twelve steps of the world: notes after 3, 6 and 9 of them
  expect(noted).toEqual(newest.slice(0, 9));
  expect(new Set(noted).size).toBe(9);
});

test('states that differ in a note are one for the world and several for a policy, and an equal key outside of notes', () => {
  const { env, level, firstLevelSeed } = planOf({ ...corridor, 'task.notes.alphabet': 2 });
  const made = level(firstLevelSeed);
  // 9 places that are no goal, each with a note that is due or written
  expect(enumerate(env, made, 1000, 'world')!.model.states).toBe(18);
  // no note, a or b before each place but the start, and the next one: none, a or b
  expect(enumerate(env, made, 1000, 'policy')!.model.states).toBeGreaterThan(40);
  const keys = [1, 2].map((note) => {
    const state = new Uint32Array(env.words);
    env.reset(made, state, 0);
    state[0] = 0;
    env.notebook!.put(state, 0, note);
    const key = new Uint32Array(2);
    env.key(made, state, 0, key, 0);
    return [...key];
  });
  expect(keys[0]).toEqual(keys[1]);
});

test('an estimator that only compares states says that nobody learns what to write, and how one would', () => {
  const told = (changes: Record<string, unknown>): string[] =>
    checkRules(configWith({ 'task.notes.on': true, 'policy.method': 'mlp', ...changes }))
      .filter(({ path, message }) => path === 'advantage.method' && !message.includes('on the CPU'))
      .map(({ severity, message, repair }) => `${severity}: ${message}; ${repair?.label}`);
  const hint =
    'hint: compares steps from equal states and nothing else; notes stay out of that, so what to write is not learned; use GiGPO';
  for (const method of ['rtmc', 'graft', 'hgpo']) expect(told({ 'advantage.method': method })).toEqual([hint]);
  expect(told({ 'advantage.method': 'hgpo', 'advantage.hgpo.episode': 'added' })).toEqual([]);
  expect(told({ 'advantage.method': 'gigpo' })).toEqual([]);
  // what is kept in a store are ordinary actions, which are compared
  expect(told({ 'advantage.method': 'rtmc', 'task.notes.mode': 'indexed' })).toEqual([]);
});

test('more symbols than fit are refused in a sentence with a way out', () => {
  const told = (changes: Record<string, unknown>): string[] =>
    checkRules(configWith({ 'task.notes.on': true, ...changes }))
      .filter(({ severity }) => severity === 'error')
      .map(({ path, message, repair }) => `${path} ${message}; ${repair?.label}`);
  expect(told({})).toEqual([]);
  expect(told({ 'task.method': 'textmaze', 'task.notes.alphabet': 16 })).toEqual([
    'task.notes.alphabet would make 34 actions with those of this world, and at most 32 fit; write with 14 symbols',
  ]);
  expect(told({ 'policy.method': 'transformer' }).join()).toContain(
    'task.notes.on has no word where the policy reads words',
  );
});
