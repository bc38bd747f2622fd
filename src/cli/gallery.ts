import { readFile } from 'node:fs/promises';
import { presets, presetConfig, type Preset } from '../config/presets.ts';
import { prepareTask } from '../config/level.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { mean } from '../core/stats.ts';
import { environments } from '../envs/registry.ts';
import type { Scene, SceneCell } from '../envs/types.ts';
import type { AnyValues } from '../core/settings.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import type { BatchView } from '../engine/backend.ts';
import { createRun, type Run } from '../engine/run.ts';
import { helped } from './args.ts';
import { attended, keep } from './attended.ts';
import { mayGoOn } from './interrupt.ts';

const USAGE = `node scripts/gallery.mjs [PRESET …]

Trains the experiments of the gallery on the CPU path and writes what their pictures show: where the agent went in the
last batch, and success over the run. With presets, only these; otherwise those that have no picture yet.`;
const PATH = 'src/ui/gallery/pictures.json';
/** A picture needs no longer run: what is left is told from the speed so far. */
const MOST_MS = 25_000;
/** Points of a curve. */
const POINTS = 32;

/** What one picture shows; read by src/ui/gallery/pictures.ts. */
type Picture = {
  readonly w: number;
  readonly ground: string;
  readonly visits: string;
  readonly ways?: readonly (readonly [number, number])[];
  readonly curve: string;
  readonly seconds: number;
  readonly share: number;
};

const ITEMS: Readonly<Record<string, string>> = {
  ...{ goal: 'g', exit: 'g', key: 'k', door: 'd', openDoor: 'd', box: 'b', lava: 'x', hole: 'x', bonus: 'o' },
  ...{ subgoal: 'o', lamp: 'g', obstacle: 'b', coin: 'o', cup: 'o' },
};
const GROUNDS: Readonly<Record<string, string>> = { wall: '#', void: ' ', target: 'g', ice: 'i' };

function letterOf({ ground, item, items }: SceneCell): string {
  const things = [item, ...(items ?? []).map((thing) => thing.item)];
  return things.map((thing) => ITEMS[thing ?? '']).find((letter) => letter !== undefined) ?? GROUNDS[ground] ?? '.';
}

/** Digits 0 … 9 of values in [0, 1]. */
const digits = (values: readonly number[]): string => values.map((x) => String(Math.round(9 * x))).join('');

/** The level of the first task, and how often the batch was in each of its cells. */
function mapOf(run: Run, view: BatchView): Pick<Picture, 'w' | 'ground' | 'visits' | 'ways'> {
  const { task, reward } = run.config;
  const id = task.method;
  const rewards = reward[id] as AnyValues;
  const env = wrappedBy(
    wrappersOf(task),
    environments.find((e) => e.id === id)!,
    rewards,
  );
  const seed = view.levelSeeds[0]!;
  const level = must(env.level(task[id] as AnyValues, rewards, seed));
  const start = new Uint32Array(env.words);
  env.reset(level, start, 0);
  const scene: Scene = env.scene(level, start, 0);
  const visits = new Array<number>(scene.cells.length).fill(0);
  const { B, T, length } = view.batch;
  const cellOf = new Map<number, number>();
  for (let i = 0; i < B; i++) {
    if (view.levelSeeds[i] !== seed) continue;
    for (let t = 0; t <= length[i]!; t++) {
      const at = (i * (T + 1) + t) * env.words;
      const own = env.cell(view.state, at);
      if (!cellOf.has(own)) cellOf.set(own, env.scene(level, view.state, at).agent.cell);
      visits[cellOf.get(own)!]!++;
    }
  }
  const most = Math.max(1, ...visits);
  return {
    w: scene.width,
    ground: scene.cells.map(letterOf).join(''),
    visits: digits(visits.map((n) => Math.sqrt(n / most))),
    ...(scene.passages ? { ways: scene.passages.map(({ a, b }) => [a, b] as const) } : {}),
  };
}

async function pictureOf(preset: Preset): Promise<Picture> {
  const config = configWith({ 'run.backend': 'cpu' }, presetConfig(preset));
  await prepareTask(config);
  const run = must(await createRun(config));
  const from = performance.now();
  while (run.update < run.updates && performance.now() - from < MOST_MS) {
    await run.submit();
    await mayGoOn();
  }
  const share = run.update / run.updates;
  const { series, plan } = run;
  const at = (u: number): number =>
    mean(Array.from({ length: plan.S }, (_, s) => series.at(u, s, metricIndex.success)));
  const points = Math.min(POINTS, series.length);
  const edge = (k: number): number => Math.floor((k * series.length) / points);
  const curve = Array.from({ length: points }, (_, k) =>
    mean(Array.from({ length: edge(k + 1) - edge(k) }, (__, j) => at(edge(k) + j))),
  );
  const picture = {
    ...mapOf(run, await run.backend.view(0)),
    curve: digits(curve),
    seconds: Number(((performance.now() - from) / 1000 / share).toPrecision(2)),
    share: Number(share.toPrecision(2)),
  };
  run.dispose();
  return picture;
}

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  const strange = argv.find((id) => presets.every((p) => p.id !== id));
  if (strange !== undefined) {
    console.error(`There is no experiment ${strange.slice(0, 60)}; npm run lab -- presets lists them.`);
    return 1;
  }
  const known = JSON.parse(await readFile(PATH, 'utf8')) as Record<string, Picture>;
  return attended(async () => {
    for (const preset of presets) {
      if (argv.length > 0 ? !argv.includes(preset.id) : known[preset.id] !== undefined) continue;
      const picture = await pictureOf(preset);
      known[preset.id] = picture;
      console.log(preset.id, picture.seconds, picture.curve);
      const rows = presets.flatMap(({ id }) =>
        known[id] ? [`  ${JSON.stringify(id)}: ${JSON.stringify(known[id])}`] : [],
      );
      await keep(PATH, `{\n${rows.join(',\n')}\n}\n`);
    }
  });
}

process.exitCode = await main(process.argv.slice(2));
