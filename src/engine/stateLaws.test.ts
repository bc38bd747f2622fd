import { describe, expect, test } from 'vitest';
import { forkConfig } from '../config/fork.ts';
import { prepareTask } from '../config/level.ts';
import { decodeLink, encodeLink } from '../config/link.ts';
import { checkRules } from '../config/rules.ts';
import { configWith, setValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import type { Peers, ReceivedGroup } from '../contract/peers.ts';
import { replicasOf, tensorsOf, type TrainState } from '../contract/state.ts';
import { must } from '../core/problem.ts';
import type { Settings } from '../core/settings.ts';
import { rollouts, sources } from '../slots/registry.ts';
import { makeCpuBackend } from './cpu/cpuBackend.ts';
import { createRun, Run, type Checkpoint } from './run.ts';
import { train } from './sampleRun.ts';

/**
 * What task sources and rollouts remember survives whatever a run goes through, with a memory that holds something: every
 * tensor that one of them declares has to be filled in one of these worlds when the run is cut.
 */
const SMALL = {
  ...{ 'run.backend': 'cpu', 'run.seed': 4, 'run.seeds': 2, 'run.updates': 20, 'analysis.evalEvery': 0 },
  ...{ 'policy.mlp.hidden': [6], 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'task.levels': 4 },
  ...{ 'task.grid.level': 'fourRooms', 'task.grid.maxSteps': 12 },
  // while only its critics learn, no setting of the policy changes anything; of how often they learn nothing depends here
  ...{ 'rollout.archer.warmup': 2, 'rollout.archer.looks': 3, 'rollout.archer.sample': 8, 'rollout.archer.kept': 64 },
  ...{ 'rollout.vscRl.looks': 3, 'rollout.vscRl.sample': 8, 'rollout.vscRl.kept': 64 },
};
const WORLDS: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { 'rollout.groupSize': 24 },
  { 'advantage.method': 'gae' },
  { 'task.grid.level': 'ladder' },
  { 'source.method': 'startDistance', 'rollout.groupSize': 24 },
  { 'source.method': 'startDistance', 'source.startDistance.first': 0.7 },
  { 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.levelRow.on': true, 'task.levelRow.growEvery': 3 },
  { 'source.method': 'startDistance', 'rollout.groupSize': 24, 'task.subgoals.on': true },
];
const [CUT, END] = [5, 7];
const ROOM = 16;

type Memory = { readonly slot: 'rollout' | 'source'; readonly id: string; readonly params: Settings };
const remembers = <M extends { readonly state?: unknown }>({ state }: M): boolean => state !== undefined;
const modules: readonly Memory[] = [
  ...rollouts.filter(remembers).map(({ id, params }) => ({ slot: 'rollout', id, params }) as const),
  ...sources.filter(remembers).map(({ id, params }) => ({ slot: 'source', id, params }) as const),
];

/**
 * As they are; with all counts of the module at their least, as small memories are soon full and short windows soon over;
 * with its choices at their last option; and with room for what it keeps only where somebody asks for it.
 */
const settingsOf = ({ slot, id, params }: Memory): readonly Readonly<Record<string, unknown>>[] => {
  const each = (value: (setting: Settings[string]) => unknown): Readonly<Record<string, unknown>> => {
    const own = Object.entries(params).map(([name, setting]) => [`${slot}.${id}.${name}`, value(setting)] as const);
    return Object.fromEntries(own.filter(([, to]) => to !== undefined));
  };
  const least = each((setting) => (setting.kind === 'integer' ? setting.min : undefined));
  const last = each((setting) => (setting.kind === 'choice' ? setting.options.at(-1) : undefined));
  const asked = each((setting) => (setting.kind === 'integer' && setting.default === 0 ? ROOM : undefined));
  return [{}, least, last, ...(Object.keys(asked).length > 0 ? [asked] : [])];
};

/** An experiment with the module behind the buttons that the rules offer; null: they take the module away. */
function experiment({ slot, id }: Memory, changes: Readonly<Record<string, unknown>>): Config | null {
  let config = configWith({ ...SMALL, ...changes, [`${slot}.method`]: id });
  for (let press = 0; press < 8; press++) {
    const wrong = checkRules(config).find(({ severity }) => severity === 'error');
    if (!wrong) return config[slot].method === id ? config : null;
    config = wrong.repair!.set.reduce((c, { path, value }) => setValue(c, path, value), config);
  }
  throw new Error('The rules do not end.');
}

/** What the first run tells comes back to it as if from another tab; others hear the same in the same updates. */
class Echo implements Peers {
  private readonly run: Run;
  private readonly heard: ReceivedGroup[][];
  private readonly isFirst: boolean;

  constructor(run: Run, heard: ReceivedGroup[][], isFirst: boolean) {
    this.run = run;
    this.heard = heard;
    this.isFirst = isFirst;
  }

  take(): readonly ReceivedGroup[] {
    return this.heard[this.run.update - 1] ?? [];
  }

  tell({ sent }: { readonly sent: readonly Omit<ReceivedGroup, 'sender'>[] }): void {
    if (this.isFirst) this.heard[this.run.update] = sent.map((group) => ({ ...group, sender: 1 }));
  }
}

async function opened(config: Config, heard: ReceivedGroup[][], from?: Checkpoint): Promise<Run> {
  await prepareTask(config);
  const first = must(await createRun(config));
  const run = from ? await Run.create(first.whole, makeCpuBackend, from) : first;
  run.peers = new Echo(run, heard, false);
  return run;
}
const stateOf = async (run: Run): Promise<TrainState> => (await run.checkpoint()).state;

/** Names of the module's tensors that hold something; all of them, if only their names are asked for. */
const filled = ({ tensors }: TrainState, { id }: Memory): string[] =>
  Object.entries(tensorsOf(tensors, id)).flatMap(([name, values]) => (values.some((x) => x !== 0) ? [name] : []));

/** A run that is cut in the middle, and what it knew then; null: all that it could remember is among `seen`. */
async function cutRun(config: Config, { id }: Memory, seen: ReadonlySet<string>) {
  const heard: ReceivedGroup[][] = [];
  const run = await opened(config, heard);
  if (Object.keys(tensorsOf((await stateOf(run)).tensors, id)).every((name) => seen.has(name))) return null;
  run.peers = new Echo(run, heard, true);
  await train(run, CUT);
  return { config, heard, run, saved: await run.checkpoint() };
}

async function obeys({ config, heard, run, saved }: NonNullable<Awaited<ReturnType<typeof cutRun>>>, module: Memory) {
  const records = await train(run, END - CUT);
  const [digest, end] = [await run.digest(), await stateOf(run)];
  expect(tensorsOf(end.tensors, module.id), 'it goes on to learn').not.toEqual(
    tensorsOf(saved.state.tensors, module.id),
  );

  const resumed = await opened(config, heard, saved);
  expect(await train(resumed, END - CUT), 'paused and resumed').toEqual(records);
  expect(await stateOf(resumed)).toEqual(end);
  expect(await resumed.digest()).toEqual(digest);

  // repeated by its link, one seed after the other
  const linked = must(decodeLink(encodeLink({ config }))).config;
  expect(linked).toEqual(config);
  for (const s of [0, 1]) {
    const alone = await opened(configWith({ 'run.seed': 4 + s, 'run.seeds': 1 }, linked), heard);
    await train(alone, END);
    expect(await stateOf(alone), `seed ${s} alone, by the link`).toEqual(replicasOf(end, 2, s, 1));
    expect((await alone.digest()).perSeed[0]).toBe(digest.perSeed[s]);
  }

  // a fork goes on from the checkpoint of its parent as from its own story; one that changes the task forgets what it must
  for (const change of [{ 'optimizer.learningRate': 0.02 }, { 'task.levels': 3 }]) {
    const child = forkConfig(config, CUT, configWith(change, config));
    const [replayed, continued] = [await opened(child, heard), await opened(child, heard, saved)];
    await train(replayed, CUT);
    expect(await stateOf(replayed), 'a fork repeats its parent').toEqual(saved.state);
    await train(replayed, END - CUT);
    await train(continued, END - CUT);
    expect(await stateOf(continued), `a fork with ${Object.keys(change)[0]}`).toEqual(await stateOf(replayed));
    expect(await continued.digest()).toEqual(await replayed.digest());
    expect(await stateOf(continued)).not.toEqual(end);
  }
}

describe.each(modules.map((module) => [`${module.slot} ${module.id}`, module] as const))('%s', (_, module) => {
  test('is the same after a pause, a link, a fork and beside another seed, with every tensor filled', async () => {
    const seen = new Set<string>();
    const all = new Set<string>();
    for (const world of WORLDS)
      for (const own of settingsOf(module)) {
        const config = experiment(module, { ...world, ...own });
        const cut = config && (await cutRun(config, module, seen));
        if (!cut) continue;
        for (const name of Object.keys(tensorsOf(cut.saved.state.tensors, module.id))) all.add(name);
        const more = filled(cut.saved.state, module).filter((name) => !seen.has(name));
        if (more.length === 0) continue;
        await obeys(cut, module);
        for (const name of more) seen.add(name);
      }
    expect([...seen].sort()).toEqual([...all].sort());
    expect(seen.size).toBeGreaterThan(0);
  });
});
