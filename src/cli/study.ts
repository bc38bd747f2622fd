import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { presets } from '../config/presets.ts';
import { helped, readArgs, type Args } from './args.ts';
import { attended, keep } from './attended.ts';
import { prepareFile } from './files.ts';
import * as boards from './studies/boards.ts';
import { boardsTables } from './studies/boardsTables.ts';
import * as boxoban from './studies/boxoban.ts';
import { boxobanTables } from './studies/boxobanTables.ts';
import * as echo from './studies/echo.ts';
import { echoTables } from './studies/echoTables.ts';
import * as environments from './studies/environments.ts';
import { NOISES } from './studies/environmentsSweep.ts';
import { environmentsFigure, environmentsTables } from './studies/environmentsTables.ts';
import { creditTables } from './studies/creditTables.ts';
import * as curricula from './studies/curricula.ts';
import * as horizon from './studies/horizon.ts';
import { horizonFigure, horizonTables } from './studies/horizonTables.ts';
import { curriculaTables } from './studies/curriculaTables.ts';
import * as hierarchy from './studies/hierarchy.ts';
import { hierarchyTables } from './studies/hierarchyTables.ts';
import * as keys from './studies/keys.ts';
import { keysTables } from './studies/keysTables.ts';
import * as resfit from './studies/resfit.ts';
import { resfitTables } from './studies/resfitTables.ts';
import * as rewards from './studies/rewards.ts';
import { rewardTables } from './studies/rewardTables.ts';
import { TASKS } from './studies/creditFidelity.ts';
import * as credit from './studies/creditFidelity.ts';
import { Rows, type Row } from './studies/rows.ts';
import * as stability from './studies/stability.ts';
import { stabilityRows } from './studies/stabilitySweep.ts';
import { stabilityTables } from './studies/stabilityTables.ts';
import { withMeasured } from './studies/tables.ts';

const USAGE = `node scripts/study.mjs (credit-fidelity | stability | environments | rewards | curricula | boxoban | horizon | boards | echo | keys | resfit | hierarchy) [--only NAME,…] [--seeds N] [--updates N] [--out FOLDER] [--from DIR]

Measures a study, keeps what each seed did in FOLDER/<study>.csv (docs/studies where none is named) and writes the tables into
FOLDER/<study>.md. With --from the rows come from the folder of its sweep (docs/studies/<study>.sweep.json), from what is
finished there, and the other rows stay. Without it, stability measures itself, seeds side by side, and environments the noise
of the gradient, which its sweep does not. Rewards measures itself, each reward on each task. With --only, just these parts are
measured: objectives or settings, or one of both as in stress/vcpo, and at one age as in stress/vcpo/16; tasks or rewards, as in
sokoban/spa; curricula has task sources in their place, as in maze/omniReset; horizon
has experiments, as in bonus-room; boxoban trains --seeds N of --updates N, and --only seed2 just the
second; boards has networks and seeds, as in conv/seed2; echo has mixtures
and ways to train, as in worse/hot; keys has keys; resfit and hierarchy have ways. --only tables measures nothing.`;

type Size = credit.Size;
type Study = {
  /** where none are asked for; 16 unless given */
  readonly seeds?: number;
  /** the fewest there may be; 3 unless given, for intervals over them */
  readonly leastSeeds?: number;
  /** where none are asked for; 240 unless given */
  readonly updates?: number;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
  readonly tables: (rows: readonly Row[]) => string;
  /** FOLDER/<study>.svg */
  readonly figure?: (rows: readonly Row[]) => string;
  /** the rows of a folder in which the study was trained as a sweep; a text is the sentence of why there are none */
  readonly fromSweep?: (folder: string, size: Size) => Promise<readonly Row[] | string>;
  /** measures the parts that are wanted; `done` takes the rows of each as soon as they are known. Without it, all comes from the sweep */
  readonly measure?: (wants: Wants, size: Size, done: Done) => Promise<void>;
};
/** Is this part wanted, by the names of what it belongs to, from the whole on? */
type Wants = (...names: readonly string[]) => boolean;
type Done = (what: string, rows: readonly Row[]) => Promise<void>;

const STUDIES: Readonly<Record<string, Study>> = {
  'credit-fidelity': {
    columns: credit.COLUMNS,
    keys: credit.KEYS,
    tables: creditTables,
    fromSweep: credit.creditFidelityRows,
  },
  stability: {
    columns: stability.COLUMNS,
    keys: stability.KEYS,
    tables: stabilityTables,
    fromSweep: stabilityRows,
    async measure(wants, size, done) {
      for (const setting of stability.SETTINGS) {
        for (const way of setting.ways) {
          for (const level of setting.levels.filter((name) => wants(setting.id, way.id, name)))
            await done(`${setting.id}, ${way.title}, ${level}`, await stability.measureCell(setting, way, level, size));
        }
      }
    },
  },
  environments: {
    columns: environments.COLUMNS,
    keys: environments.KEYS,
    tables: environmentsTables,
    figure: environmentsFigure,
    fromSweep: environments.environmentsRows,
    async measure(wants, _size, done) {
      for (const noise of NOISES.filter(({ id }) => wants(environments.NOISE, id)))
        await done(`gradient noise, ${noise.title}`, await environments.measureNoises(noise));
    },
  },
  rewards: {
    seeds: 12,
    columns: rewards.COLUMNS,
    keys: rewards.KEYS,
    tables: rewardTables,
    async measure(wants, { seeds }, done) {
      for (const task of TASKS) {
        for (const way of rewards.WAYS.filter(({ id }) => wants(task.id, id)))
          await done(`${task.title}, ${way.title}`, await rewards.measureRewards(task, way, seeds));
      }
    },
  },
  curricula: {
    seeds: 5,
    columns: curricula.COLUMNS,
    keys: curricula.KEYS,
    tables: curriculaTables,
    async measure(wants, { seeds }, done) {
      for (const task of curricula.TASKS) {
        for (const way of task.ways.filter(({ id }) => wants(task.id, id)))
          await done(`${task.title}, ${way.title}`, await curricula.measureWay(task, way, seeds));
      }
    },
  },
  horizon: {
    seeds: 3,
    columns: horizon.COLUMNS,
    keys: horizon.KEYS,
    tables: horizonTables,
    figure: horizonFigure,
    async measure(wants, { seeds }, done) {
      for (const preset of presets.filter(({ id }) => wants(id)))
        await done(preset.id, await horizon.measurePreset(preset, seeds));
    },
  },
  boxoban: {
    ...{ seeds: 1, leastSeeds: 1, updates: boxoban.UPDATES },
    columns: boxoban.COLUMNS,
    keys: boxoban.KEYS,
    tables: boxobanTables,
    async measure(wants, { seeds, updates }, done) {
      for (let seed = 1; seed <= seeds; seed++)
        if (wants(`seed${seed}`))
          await boxoban.measureBoxoban({ updates, levels: boxoban.LEVELS }, seed, (row) =>
            done(`seed ${seed}, ${row['at']} of ${updates} updates: ${row['first']} of ${row['levels']} levels`, [row]),
          );
    },
  },
  boards: {
    seeds: 8,
    columns: boards.COLUMNS,
    keys: boards.KEYS,
    tables: boardsTables,
    async measure(wants, { seeds }, done) {
      for (const way of boards.WAYS)
        for (let seed = 1; seed <= seeds; seed++)
          if (wants(way.id, `seed${seed}`))
            await done(`${way.title}, seed ${seed}`, await boards.measureNetwork(way, seed));
    },
  },
  keys: {
    seeds: 16,
    columns: keys.COLUMNS,
    keys: keys.KEYS,
    tables: keysTables,
    async measure(wants, { seeds }, done) {
      for (const way of keys.WAYS.filter((id) => wants(id)))
        for (let seed = 1; seed <= seeds; seed++)
          await done(`${way}, seed ${seed}`, [await keys.measureKeys(way, seed)]);
    },
  },
  hierarchy: {
    seeds: 10,
    columns: hierarchy.COLUMNS,
    keys: hierarchy.KEYS,
    tables: hierarchyTables,
    async measure(wants, { seeds }, done) {
      for (const way of hierarchy.NAMES.filter((id) => wants(id)))
        for (let seed = 1; seed <= seeds; seed++)
          await done(`${way}, seed ${seed}`, [await hierarchy.measureHierarchy(way, seed)]);
    },
  },
  resfit: {
    seeds: 16,
    columns: resfit.COLUMNS,
    keys: resfit.KEYS,
    tables: resfitTables,
    async measure(wants, { seeds }, done) {
      for (const way of resfit.NAMES.filter((id) => wants(id)))
        for (let seed = 1; seed <= seeds; seed++)
          await done(`${way}, seed ${seed}`, [await resfit.measureResfit(way, seed)]);
    },
  },
  echo: {
    seeds: 10,
    columns: echo.COLUMNS,
    keys: echo.KEYS,
    tables: echoTables,
    async measure(wants, { seeds }, done) {
      for (const mixture of echo.MIXTURES)
        for (const way of echo.WAYS.filter(({ id }) => wants(mixture.id, id)))
          for (let seed = 1; seed <= seeds; seed++)
            await done(`${mixture.id}, ${way.id}, seed ${seed}`, [await echo.measureEcho({ mixture, way }, seed)]);
    },
  },
};

async function main(argv: readonly string[]): Promise<number> {
  if (helped(argv, USAGE)) return 0;
  const args = readArgs(argv);
  if (typeof args === 'string') return say(args);
  const name = args.words[0] ?? '';
  const study = Object.hasOwn(STUDIES, name) ? STUDIES[name] : undefined;
  if (!study) return say(`Usage: ${USAGE}`);
  const folder = args.options['out'] ?? 'docs/studies';
  const path = `${folder}/${name}.md`;
  if (!existsSync(path))
    return say(`There is no ${path} to write the tables into: start in the project folder, or name one with --out.`);
  const rows = new Rows(`${folder}/${name}.csv`, study.columns, study.keys);
  const size = {
    seeds: Number(args.options['seeds'] ?? study.seeds ?? 16),
    updates: Number(args.options['updates'] ?? study.updates ?? 240),
  };
  const least = study.leastSeeds ?? 3;
  if (!isCount(size.seeds, least) || !isCount(size.updates, 5))
    return say(
      `This study needs at least ${least} ${least === 1 ? 'seed' : 'seeds, for its intervals,'} and 5 updates.`,
    );
  const refused = await prepareFile(path);
  if (refused !== null) return say(refused);
  const from = args.options['from'];
  if (from !== undefined && !study.fromSweep) return say(`The study ${name} cannot be trained as a sweep.`);
  if (from === undefined && !study.measure && args.options['only'] !== 'tables')
    return say(
      `The study ${name} is trained as a sweep: npm run lab -- sweep docs/studies/${name}.sweep.json --out DIR. Then name DIR with --from.`,
    );
  const trained = from === undefined ? [] : await study.fromSweep!(from, size);
  if (typeof trained === 'string') return say(trained);
  return attended(async () => {
    if (trained.length > 0) await rows.put(trained);
    else
      await study.measure?.(wanted(args), size, async (what, found) => {
        await rows.put(found);
        console.log(what);
      });
    await keep(path, withMeasured(await readFile(path, 'utf8'), study.tables(rows.all)));
    if (study.figure) await keep(`${folder}/${name}.svg`, study.figure(rows.all));
  });
}

function wanted({ options }: Args): Wants {
  const only = options['only']?.split(',');
  return (...names) =>
    only === undefined || [...names, names.slice(0, 2).join('/'), names.join('/')].some((name) => only.includes(name));
}

const isCount = (x: number, least: number): boolean => Number.isInteger(x) && x >= least;

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

process.exitCode = await main(process.argv.slice(2));
