import { expect, test } from 'vitest';
import { configDigest } from '../../config/digest.ts';
import { machineHas } from '../../config/memoryCap.ts';
import { configWith, defaultConfig, getValue } from '../../config/schema.ts';
import { readDescription } from './description.ts';
import { expand, type Sweep } from './expand.ts';
import { isRepeatable } from './limit.ts';

const described = async (raw: object): Promise<Sweep | string> => {
  const description = readDescription({ base: 'key-door', seeds: 2, updates: 4, ...raw });
  return typeof description === 'string' ? description : expand(description, defaultConfig());
};
const sweepOf = async (raw: object): Promise<Sweep> => {
  const sweep = await described(raw);
  if (typeof sweep === 'string') throw new Error(sweep);
  return sweep;
};

const range = (n: number): number[] => Array.from({ length: n }, (_, k) => k + 1);

test('a grid: every combination, named by what differs, methods by their titles', async () => {
  const { groups, cells } = await sweepOf({
    vary: { 'advantage.method': ['gigpo', 'grpo'], 'rollout.groupSize': [8, 16] },
  });
  expect(groups.map(({ name }) => name)).toEqual([
    'GiGPO, group size 8',
    'GiGPO, group size 16',
    'GRPO, group size 8',
    'GRPO, group size 16',
  ]);
  expect(cells).toHaveLength(8);
});

test('what chooses its device by itself and has no WebGPU form is a cell on the CPU path, like any other', async () => {
  const own = configWith({ 'run.backend': 'auto', 'rollout.method': 'spear' });
  const sweep = await expand(readDescription({ base: 'key-door', seeds: 1, updates: 4 }) as never, own);
  if (typeof sweep === 'string') throw new Error(sweep);
  expect(sweep.cells.map(({ config }) => config.run['backend'])).toEqual(['cpu']);
});

test('where the asked device cannot train a cell and the CPU can, the refusal says so', async () => {
  const own = configWith({ 'rollout.method': 'spear' });
  const refused = await expand(
    readDescription({
      base: 'key-door',
      set: { 'rollout.method': 'spear' },
      seeds: 1,
      updates: 4,
      backend: 'webgpu',
    }) as never,
    own,
  );
  expect(refused).toMatch(/cannot be trained: .*no WebGPU form.* With “backend”: “cpu” it can\.$/);
});

test('seeds are interleaved: every group trains its first before any trains its second', async () => {
  const { cells } = await sweepOf({ vary: { 'advantage.method': ['gigpo', 'grpo'] }, seeds: [7, 3] });
  expect(cells.map(({ name }) => name)).toEqual(['GiGPO, seed 7', 'GRPO, seed 7', 'GiGPO, seed 3', 'GRPO, seed 3']);
});

test('a cell is addressed by the digest of its config: one seed, on the CPU path, with the updates of the sweep', async () => {
  const { cells } = await sweepOf({ vary: { 'advantage.method': ['grpo', 'rloo'] } });
  const own = { 'run.seeds': 1, 'run.backend': 'cpu', 'run.updates': 4, 'advantage.method': 'rloo' };
  expect(cells.find(({ name }) => name === 'RLOO, seed 2')!.address).toBe(
    await configDigest(configWith({ ...own, 'run.seed': 2 })),
  );
  expect(new Set(cells.map(({ address }) => address)).size).toBe(cells.length);
});

test('more seeds leave the addresses of the cells that were there', async () => {
  const grid = { vary: { 'advantage.method': ['grpo', 'rloo'] } };
  const [few, many] = [await sweepOf(grid), await sweepOf({ ...grid, seeds: 5 })];
  expect(many.cells.slice(0, 4).map(({ address }) => address)).toEqual(few.cells.map(({ address }) => address));
});

test('named cells keep their names; one name over a grid is told apart by the grid', async () => {
  const cells = [
    { name: 'plain', set: { 'advantage.method': 'grpo' } },
    { set: { 'advantage.method': 'rloo' } },
    { name: 'matched', set: { 'revise.matchSize.on': true } },
  ];
  const names = async (raw: object): Promise<string[]> => (await sweepOf(raw)).groups.map(({ name }) => name);
  expect(await names({ cells })).toEqual(['plain', 'base', 'matched']);
  expect(await names({ cells: [cells[0], cells[2]], vary: { 'optimizer.learningRate': [0.01, 0.1] } })).toEqual([
    'plain, learning rate 0.01',
    'plain, learning rate 0.1',
    'matched, learning rate 0.01',
    'matched, learning rate 0.1',
  ]);
});

test('as many gradient steps as the base: fewer updates where each takes more', async () => {
  const raw = { updates: 12, match: 'gradientSteps', set: { 'objective.epochs': 2, 'objective.minibatches': 1 } };
  const { groups } = await sweepOf({ ...raw, vary: { 'objective.epochs': [2, 3, 6] } });
  expect(groups.map(({ config }) => getValue(config, 'run.updates'))).toEqual([12, 8, 4]);
  expect(await described({ ...raw, updates: 10, vary: { 'objective.epochs': [2, 3] } })).toBe(
    'The cell “epochs 3” takes 3 gradient steps per update and the base 2: to match them, “updates” must be a multiple of 3.',
  );
});

test('cells have the memory of several runs at a time, also where a run alone may take more', async () => {
  machineHas(16 * 2 ** 30);
  const large = { 'rollout.tasksPerBatch': 1024, 'rollout.groupSize': 64, 'task.grid.maxSteps': 16 };
  expect(await described({ updates: 2, set: { ...large, 'policy.mlp.hidden': [16] }, vary: {} })).toMatch(
    /cannot be trained: it takes \d+ MiB of memory, and cells of a sweep have at most 512 MiB each/,
  );
  machineHas(0);
});

test('the steps that end a cell are part of its address', async () => {
  const of = async (steps: number): Promise<string> =>
    (await sweepOf({ updates: undefined, match: 'environmentSteps', steps })).cells[0]!.address;
  expect(await of(1000)).toMatch(/^[a-z2-7]{10}-1000$/);
  expect(await of(1000)).not.toBe(await of(1001));
});

test('seconds are part of an address as well, and of such cells nobody knows the steps beforehand', async () => {
  const { cells, mostSteps } = await sweepOf({ updates: undefined, match: 'seconds', seconds: 60 });
  expect(cells[0]!.address).toMatch(/^[a-z2-7]{10}-60s$/);
  expect(getValue(cells[0]!.config, 'run.updates')).toBe(20_000);
  expect(mostSteps).toBeNull();
  expect(isRepeatable(cells[0]!.limit)).toBe(false);
  expect(isRepeatable({ of: 'environmentSteps', amount: 9 })).toBe(true);
  expect(isRepeatable(null)).toBe(true);
});

test('matched update sizes are a setting of every cell', async () => {
  const { groups } = await sweepOf({ match: 'updateSize', vary: { 'advantage.method': ['grpo', 'gigpo'] } });
  expect(groups.map(({ name }) => name)).toEqual(['GRPO', 'GiGPO']);
  expect(groups.map(({ config }) => getValue(config, 'revise.matchSize.on'))).toEqual([true, true]);
});

test('the cost counts every episode at its full length', async () => {
  const { mostSteps, groups } = await sweepOf({ vary: { 'rollout.groupSize': [2, 4] }, updates: 3, seeds: 5 });
  const P = getValue(groups[0]!.config, 'rollout.tasksPerBatch') as number;
  const one = await sweepOf({ set: { 'rollout.groupSize': 2 }, updates: 1, seeds: 1 });
  const T = one.mostSteps! / (P * 2);
  expect(Number.isInteger(T)).toBe(true);
  expect(mostSteps).toBe(5 * 3 * P * T * (2 + 4));
});

test.each([
  [{ vary: { 'advantage.metod': ['grpo'] } }, 'There is no field “advantage.metod” to set or vary.'],
  [
    { vary: { 'run.seed': [1, 2] } },
    'The field run.seed is not set or varied here: “seeds” says which seeds there are.',
  ],
  [
    { set: { 'run.updates': 3 } },
    'The field run.updates is not set or varied here: “updates” says how long each cell trains.',
  ],
  [{ vary: { 'rollout.groupSize': [2, 2] } }, 'The field rollout.groupSize has the value 2 twice.'],
  [{ vary: { 'rollout.groupSize': [] } }, 'In the description, “vary.rollout.groupSize” needs at least one value.'],
  [{ vary: { 'rollout.groupSize': 4 } }, 'In the description, “vary.rollout.groupSize” must be a list of values.'],
  [{ seeds: 0 }, 'In the description, “seeds” must be a whole number between 1 and 1000.'],
  [{ seeds: 'two' }, 'In the description, “seeds” must be a whole number between 1 and 1000, or a list of seeds.'],
  [{ seeds: [1, 1] }, 'In “seeds”, one seed appears twice.'],
  [
    { vary: { 'rollout.groupSize': range(400), 'rollout.tasksPerBatch': range(400), 'objective.epochs': range(400) } },
    'These are 128,000,000 cells; at most 10,000 are taken.',
  ],
  [{ seed: 3 }, 'In the description, “seed” is not a known field.'],
  [
    { match: 'time' },
    'In the description, “match” must be one of updates, gradientSteps, environmentSteps, seconds, updateSize.',
  ],
  [{ match: 'environmentSteps' }, 'Cells matched by environment steps need “steps”: how many each seed takes.'],
  [{ match: 'environmentSteps', steps: 9 }, 'Cells matched by environment steps have “steps” in place of “updates”.'],
  [
    { steps: 9 },
    '“steps” counts environment steps, for cells with “match”: "environmentSteps"; others have “updates”.',
  ],
  [{ match: 'seconds' }, 'Cells matched by seconds need “seconds”: how many each seed takes.'],
  [
    { match: 'updateSize', seconds: 5 },
    '“seconds” counts seconds, for cells with “match”: "seconds"; others have “updates”.',
  ],
  [
    { match: 'updateSize', vary: { 'revise.matchSize.on': [true, false] } },
    'The field revise.matchSize.on is not set or varied here: “match” turns it on in every cell.',
  ],
  [
    { updates: undefined, match: 'gradientSteps' },
    'Cells matched by gradient steps need “updates”: those of the base, which the others have to match.',
  ],
  [
    { cells: [{ set: { 'rollout.groupSize': 2 } }], vary: { 'rollout.groupSize': [4] } },
    'The field rollout.groupSize is varied and set by a cell as well; leave it in one of them.',
  ],
  [
    {
      cells: [
        { name: 'a', set: {} },
        { name: 'b', set: {} },
      ],
    },
    'The cells “a” and “b” are the same experiment.',
  ],
  [
    { vary: { 'advantage.method': ['gigpo', 'grpo'], 'advantage.gigpo.omega': [0.5, 1] } },
    'The field advantage.gigpo.omega has no effect in the cell “GRPO”; give the cells one by one, each with the fields that it uses.',
  ],
  [
    { set: { 'analysis.evalEvery': 0 } },
    'The cell “base” cannot be trained: it is never evaluated, so it would have no score; set analysis.evalEvery to 5.',
  ],
  [
    { updates: undefined, match: 'environmentSteps', steps: 100, set: { 'optimizer.schedule': 'linear' } },
    'The learning rate of the cell “base” falls until its last update, and with matched environment steps that update is not known beforehand; set optimizer.schedule to constant.',
  ],
])('%o is refused in one sentence', async (raw, sentence) => {
  expect(await described(raw)).toBe(sentence);
});

test('an impossible cell is refused before anything runs, by its name and with the way out', async () => {
  expect(await described({ vary: { 'rollout.groupSize': [1, 8] } })).toMatch(
    /^The cell “group size 1” cannot be trained: the field rollout\.groupSize is 1: .+\. Repair: set 8\.$/,
  );
  expect(await described({ vary: { 'rollout.groupSize': [8, -3] } })).toMatch(
    /^The cell “group size −3” cannot be trained\. .*rollout\.groupSize must be between/,
  );
  expect(await described({ vary: { 'advantage.method': ['grpo', 'tusk'] } })).toMatch(
    /^The cell “tusk” cannot be trained\./,
  );
});

test('nothing that is read can be anything but a description or a sentence', () => {
  for (const raw of [null, 3, [], 'x', {}, { base: 1 }, { base: 'a', seeds: 1, __proto__: { x: 1 }, set: { a: {} } }])
    expect(readDescription(raw)).toMatch(/^[A-Z“].*\.$/);
});

test('texts are named by what differs between them, not by how they begin', async () => {
  const text = (omega: number, sets: string): string =>
    `let ω = ${omega} in 0…4\npart episode = normalize(outcome, task)\npart step = ω × normalizeSets(returnsToGo(reward, 0.95), sets(${sets}))`;
  const set = { 'advantage.method': 'formula' };
  const names = async (texts: readonly string[]): Promise<readonly string[]> =>
    (await sweepOf({ set, vary: { 'advantage.formula.text': texts } })).groups.map(({ name }) => name);
  expect(await names([text(1, 'state'), text(0.5, 'state')])).toEqual(['formula let ω = 1', 'formula let ω = 0.5']);
  expect(await names([text(1, 'state'), text(1, 'edge')])).toEqual(['formula sets(state', 'formula sets(edge']);
  const [long] = await names([text(1, 'state'), 'normalize(outcome, task)']);
  expect(long!.length).toBeLessThan(80);
  // one that cannot be read is refused before anything trains
  expect(await described({ set, vary: { 'advantage.formula.text': ['reward', 'rewart'] } })).toContain(
    'did you mean reward',
  );
});
