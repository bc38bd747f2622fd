import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange, Peers, ReceivedGroup, SharedGroup } from '../contract/peers.ts';
import { tensorsOf, thetaOf } from '../contract/state.ts';
import { metricIndex, METRICS, type MetricId } from '../slots/metrics/metrics.ts';
import type { UpdateRecord } from './backend.ts';
import { presetById } from '../config/presets.ts';
import { panelLevels } from './plan.ts';
import { CpuShare } from './cpu/share.ts';
import { parallelBackendOn } from './cpu/parallelBackend.ts';
import type { Run } from './run.ts';
import { sampleRun, train } from './sampleRun.ts';

/** A world on which all seeds play the same map, so that what one tab finds is a lesson for the other. */
const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.updates': 12, 'run.seeds': 1, 'policy.method': 'tabular' },
  ...{ 'task.grid.level': 'fourRooms', 'task.levels': 1, 'task.grid.maxSteps': 30 },
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'advantage.method': 'grpo' },
};
const SWARM = { ...SMALL, 'rollout.method': 'swarm' };

const of = (record: UpdateRecord, id: MetricId, s = 0): number => record.metrics[s * METRICS + metricIndex[id]]!;
const sum = (records: readonly UpdateRecord[], id: MetricId): number =>
  records.reduce((total, record) => total + (of(record, id) || 0), 0);

/** One end of a line in memory: what is told arrives at the others before their next update. */
class Line implements Peers {
  readonly arrived: ReceivedGroup[] = [];
  readonly told: Exchange[] = [];
  private readonly pass: (group: SharedGroup) => void;

  constructor(pass: (group: SharedGroup) => void = () => undefined) {
    this.pass = pass;
  }

  take(): readonly ReceivedGroup[] {
    return this.arrived.splice(0);
  }

  tell(exchange: Exchange): void {
    this.told.push(exchange);
    for (const group of exchange.sent) this.pass(group);
  }
}

/** Two runs that hear of each other, update by update in turns. */
async function together(runs: readonly [Run, Run], updates: number): Promise<[UpdateRecord[], UpdateRecord[]]> {
  const lines: [Line, Line] = [
    new Line((group) => lines[1].arrived.push({ ...group, sender: 1 })),
    new Line((group) => lines[0].arrived.push({ ...group, sender: 1 })),
  ];
  runs.forEach((run, k) => (run.peers = lines[k]!));
  const records: [UpdateRecord[], UpdateRecord[]] = [[], []];
  for (let u = 0; u < updates; u++) for (const k of [0, 1] as const) records[k].push(await runs[k].submit());
  return records;
}

const pair = async (changes: Readonly<Record<string, unknown>> = {}): Promise<[Run, Run]> => [
  await sampleRun({ ...SWARM, ...changes }),
  await sampleRun({ ...SWARM, 'run.seed': 7, ...changes }),
];

test('alone it is the run that samples every episode, whether its line is closed or nobody is on it', async () => {
  const [plain, alone, open] = [await sampleRun(SMALL), await sampleRun(SWARM), await sampleRun(SWARM)];
  open.peers = new Line();
  for (const run of [plain, alone, open]) await train(run, 12);
  for (const run of [alone, open]) {
    expect(await run.digest()).toEqual(await plain.digest());
    expect(thetaOf((await run.checkpoint()).state)).toEqual(thetaOf((await plain.checkpoint()).state));
  }
});

test('two runs take rows of each other, and repeat bit for bit where they hear the same', async () => {
  const once = await pair();
  const [a, b] = await together(once, 12);
  for (const records of [a, b]) {
    expect(sum(records, 'peerRows')).toBeGreaterThan(0);
    expect(sum(records, 'peerRefused')).toBe(0);
    expect(records.every(({ bad }) => bad[0] === 0)).toBe(true);
    // foreign rows are played again, not taken: they are no steps of this world
    expect(records.every((record) => of(record, 'peerRows') <= 3 * 4)).toBe(true);
  }
  const again = await pair();
  await together(again, 12);
  for (const k of [0, 1] as const) {
    expect((await again[k].checkpoint()).state).toEqual((await once[k].checkpoint()).state);
    const plain = await sampleRun({ ...SMALL, 'run.seed': once[k].config.run['seed'] });
    await train(plain, 12);
    expect(await once[k].digest()).not.toEqual(await plain.digest());
  }
});

test('what comes while a run is stopped and taken up again changes nothing of the rest', async () => {
  const whole = await pair();
  await together(whole, 12);
  const parts = await pair();
  await together(parts, 5);
  // what was on its way at the cut belongs to neither state, so it is told again by hand
  const second = await pair();
  for (const k of [0, 1] as const) await second[k].restore(await parts[k].checkpoint());
  const lines = parts.map(({ peers }) => peers as Line) as [Line, Line];
  second.forEach((run, k) => (run.peers = lines[k]!));
  for (let u = 5; u < 12; u++) for (const run of second) await run.submit();
  for (const k of [0, 1] as const)
    expect((await second[k].checkpoint()).state).toEqual((await whole[k].checkpoint()).state);
});

test('on several cores every seed hears the same, and gives the bits of one core', async () => {
  const groups = await sharedGroups();
  const make = parallelBackendOn(() => [new CpuShare(), new CpuShare()]);
  const [one, two] = [
    await sampleRun({ ...SWARM, 'run.seeds': 2 }),
    await sampleRun({ ...SWARM, 'run.seeds': 2 }, make),
  ];
  for (const run of [one, two]) {
    const line = new Line();
    run.peers = line;
    for (const group of groups) {
      line.arrived.push({ ...group, sender: 1 });
      await run.submit();
    }
    expect(line.told.reduce((n, { taken }) => n + taken, 0)).toBeGreaterThan(0);
  }
  expect((await two.checkpoint()).state).toEqual((await one.checkpoint()).state);
});

test('rows of worlds with chance, delays, and words are what they say', async () => {
  const worlds: Readonly<Record<string, unknown>>[] = [
    { 'task.grid.slip': [1, 8, 1] },
    { 'task.actionDelay': 1, 'policy.method': 'mlp' },
    {
      ...{
        'task.method': 'textmaze',
        'task.textmaze.level': 'tree',
        'task.textmaze.rooms': 2,
        'task.textmaze.chain': 0,
      },
      ...{ 'policy.method': 'transformer', 'policy.transformer.width': 16 },
    },
    { 'rollout.swarm.ratio': 'sender' },
  ];
  for (const world of worlds) {
    const [a] = await together(await pair(world), 8);
    expect({ world, refused: sum(a, 'peerRefused'), taken: sum(a, 'peerRows') > 0 }).toEqual({
      ...{ world, refused: 0, taken: true },
    });
  }
});

/** Groups that an honest run tells of. */
async function sharedGroups(changes: Readonly<Record<string, unknown>> = {}): Promise<readonly SharedGroup[]> {
  const run = await sampleRun({ ...SWARM, 'run.seed': 7, ...changes });
  const line = new Line();
  run.peers = line;
  await train(run, 12);
  return line.told.flatMap(({ sent }) => sent);
}

test('a row that earns something else, ends elsewhere, or acts where it may not is refused and counted', async () => {
  const [honest] = await sharedGroups();
  const lies: readonly ((row: SharedGroup['rows'][number]) => SharedGroup['rows'][number])[] = [
    (row) => ({ ...row, outcome: row.outcome + 1 }),
    (row) => ({ ...row, actions: row.actions.slice(0, -1) }),
    (row) => ({ ...row, actions: [...row.actions, 0] }),
    (row) => ({ ...row, actions: row.actions.map(() => 31) }),
    (row) => ({ ...row, actions: [] }),
  ];
  const plain = await sampleRun(SMALL);
  await train(plain, 1);
  for (const lie of lies) {
    const run = await sampleRun(SWARM);
    const line = new Line();
    run.peers = line;
    line.arrived.push({ ...honest!, sender: 3, rows: honest!.rows.map(lie) });
    const [record] = await train(run, 1);
    expect({ lie: String(lie), refused: of(record!, 'peerRefused') }).toEqual({ lie: String(lie), refused: 4 });
    expect(line.told[0]!.refused).toEqual([3, 3, 3, 3]);
    expect(thetaOf((await run.checkpoint()).state)).toEqual(thetaOf((await plain.checkpoint()).state));
  }
});

test('rows of a level that the run holds out are refused, however honest, and no other level is', async () => {
  // on this map the seed of a level changes nothing, so the rows are what they say
  const world = { 'task.grid.level': 'empty', 'task.grid.n': 5 };
  const [honest] = await sharedGroups(world);
  const { whole } = await sampleRun({ ...SWARM, ...world });
  const held = panelLevels({ ...whole, levels: 0 }, 0, whole.P);
  expect(held).toHaveLength(3);
  const levels = [...held.map((seed) => [seed, 4] as const), [honest!.name.levelSeed, 0], [held[0]! + 1, 0]] as const;
  for (const [levelSeed, refused] of levels) {
    const run = await sampleRun({ ...SWARM, ...world });
    const line = new Line();
    run.peers = line;
    line.arrived.push({ ...honest!, name: { ...honest!.name, levelSeed }, sender: 2 });
    const [record] = await train(run, 1);
    expect({ levelSeed, refused: of(record!, 'peerRefused') }).toEqual({ levelSeed, refused });
    expect(line.told[0]!.refused).toEqual(Array<number>(refused).fill(2));
  }
});

test('the honest rows of a group keep a mean and a spread of their own', async () => {
  const [honest] = await sharedGroups();
  const won = honest!.rows.findIndex(({ outcome }) => outcome > 0);
  const lost = honest!.rows.findIndex(({ outcome }) => outcome <= 0);
  const rows = honest!.rows.map((row, k) => (k === won || k === lost ? row : { ...row, outcome: 99 }));
  const run = await sampleRun(SWARM);
  const line = new Line();
  run.peers = line;
  line.arrived.push({ ...honest!, rows, sender: 1 });
  const [record] = await train(run, 1);
  expect(of(record!, 'peerRefused')).toBe(2);
  expect(of(record!, 'peerRows')).toBe(2);
  const { rows: stored } = tensorsOf((await run.checkpoint()).state.tensors, 'swarm');
  // (1 − ½)/½ and (0 − ½)/½: the last number of each stored episode
  expect([stored![8], stored![17]].map(Number).sort((a, b) => a - b)).toEqual([-1, 1]);
});

test('whatever a stranger tells in the right form, the run trains on, and the same without it', async () => {
  const plain = await sampleRun(SMALL);
  await train(plain, 2);
  const theta = thetaOf((await plain.checkpoint()).state);
  const u32 = fc.integer({ min: 0, max: 0xffffffff });
  const row = fc.record({
    ...{ episodeSeed: u32, outcome: fc.double({ noNaN: true }) },
    actions: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 }),
  });
  const name = fc.record({
    ...{ levelSeed: u32, maxSteps: fc.integer({ min: 0, max: 4095 }), variant: fc.integer({ min: 0, max: 511 }) },
  });
  const group = fc.record({
    ...{ name, version: fc.nat(), sender: fc.integer({ min: 1, max: 9 }) },
    rows: fc.array(row, { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(group, { maxLength: 5 }), async (groups) => {
      const run = await sampleRun(SWARM);
      const line = new Line();
      run.peers = line;
      line.arrived.push(...groups);
      const records = await train(run, 2);
      expect(records.every(({ bad }) => bad[0] === 0)).toBe(true);
      expect(sum(records, 'peerRefused')).toBe(groups.reduce((n, { rows }) => n + rows.length, 0));
      expect(thetaOf((await run.checkpoint()).state)).toEqual(theta);
    }),
    { numRuns: 40 },
  );
});

test('groups expire, and nobody is heard any more when the line is closed', async () => {
  const [honest] = await sharedGroups();
  const run = await sampleRun({ ...SWARM, 'rollout.swarm.expiry': 2 });
  const line = new Line();
  run.peers = line;
  line.arrived.push({ ...honest!, sender: 1 });
  const first = await train(run, 1);
  run.peers = null;
  const later = await train(run, 4);
  expect([...first, ...later].map((record) => of(record, 'peerRows'))).toEqual([4, 4, 4, 0, 0]);
  expect(later.every(({ exchange }) => exchange === undefined)).toBe(true);
});

test('tabs that find nothing alone follow a lucky one, some updates later', async () => {
  const { changes } = presetById('room-swarm')!;
  const updates = 70;
  const runOf = (seed: number): Promise<Run> => sampleRun({ ...changes, 'run.backend': 'cpu', 'run.seed': seed });
  const late = (records: readonly UpdateRecord[]): number => sum(records.slice(-8), 'success') / 8;
  for (const seed of [5, 6]) {
    const alone = await train(await runOf(seed), updates);
    const [stuck, lucky] = await together([await runOf(seed), await runOf(8)], updates);
    expect(late(alone)).toBeLessThan(0.05);
    expect(late(stuck)).toBeGreaterThan(0.5);
    const first = (records: readonly UpdateRecord[]): number => records.findIndex((r) => of(r, 'success') > 0);
    expect(first(stuck)).toBeGreaterThan(first(lucky));
  }
});
