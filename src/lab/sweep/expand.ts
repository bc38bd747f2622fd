import { largest, size } from '../../config/caps.ts';
import { estimateCost } from '../../config/cost.ts';
import { configDigest } from '../../config/digest.ts';
import { prepareTask } from '../../config/level.ts';
import { LEAST } from '../../config/memoryCap.ts';
import { problemLine } from '../../config/problems.ts';
import { checkRules } from '../../config/rules.ts';
import { configWith, fieldAt, getValue, isActive, parseConfig } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Changes, Description, Named } from './description.ts';
import { limitOf, suffixOf, type Limit } from './limit.ts';
import type { AskedMeasure, CellMeasure } from './measures/types.ts';
import { namesByDifference } from './names.ts';

/** Everything but the seed: the cells of a group are its seeds. */
export type Group = {
  readonly name: string;
  /** with the first of the seeds */
  readonly config: Config;
  /** what is measured beside its cells; none where it is left out */
  readonly measure?: CellMeasure | undefined;
};

/** One run of one seed: the unit of work, and of every statistic. */
export type Cell = {
  /** the digest of its config, and the steps or seconds that end it where these are matched: its name on disk */
  readonly address: string;
  readonly name: string;
  readonly group: number;
  readonly seed: number;
  readonly config: Config;
  /** null: until its updates are over */
  readonly limit: Limit | null;
  /** what is measured beside it; it changes nothing of the run, nor of its address */
  readonly measure?: CellMeasure | undefined;
};

/** What is to be done: groups to compare, and their cells in the order in which they train. */
export type Sweep = {
  readonly groups: readonly Group[];
  readonly cells: readonly Cell[];
  readonly threshold: number;
  /** environment steps of all cells if every episode takes its full length; null where seconds end them */
  readonly mostSteps: number | null;
};

/** Enough for a thousand runs of ten seeds. */
const MOST_CELLS = 10_000;
const MOST_UPDATES = 20_000;
const THRESHOLD = 0.8;

/** A group before it is checked. */
type Draft = { readonly name: string | null; readonly set: Changes; readonly measure: AskedMeasure | undefined };

/** Looks up the measure that a cell asks for; a text is the end of the sentence on why it cannot be had. */
type MeasureOf = (asked: AskedMeasure, config: Config) => Promise<CellMeasure | string>;

/** In the browser cells are trained, and nothing is measured beside them. */
const noMeasures: MeasureOf = () => Promise.resolve('“measure” is for sweeps on the command line.');

/**
 * The cells of a sweep over a base: `set`, then a named cell, then a point of the grid are laid over it. Seeds are
 * interleaved: all groups train their first seed before any trains its second, so that what there is so far can be
 * compared. Whatever cannot train is refused here, before anything does. A text is the one sentence on what is wrong.
 */
export async function expand(
  description: Description,
  base: Config,
  measureOf: MeasureOf = noMeasures,
): Promise<Sweep | string> {
  const { set = {}, updates, match } = description;
  const limit = limitOf(description);
  const seeds = seedsOf(description, base);
  if (typeof seeds === 'string') return seeds;
  const count = countOf(description) * seeds.length;
  if (count > MOST_CELLS)
    return `These are ${count.toLocaleString('en')} cells; at most ${MOST_CELLS.toLocaleString('en')} are taken.`;
  const drafts = draftsOf(description);
  const own = { 'run.seed': seeds[0]!, 'run.seeds': 1, 'run.backend': description.backend ?? 'cpu' };
  const common = configWith({ ...set, ...own, ...(updates === undefined ? {} : { 'run.updates': updates }) }, base);
  const raw = drafts.map((draft) => configWith(draft.set, common));
  const names = namesOf(drafts, raw);
  const groups: Group[] = [];
  for (const [k, draft] of drafts.entries()) {
    const name = names[k]!;
    const parsed = parseConfig(raw[k]);
    if (!parsed.ok) return `The cell ${named(name)} cannot be trained. ${problemLine(parsed.problem)}`;
    const idle = Object.keys(draft.set).find((path) => !isActive(parsed.value, fieldAt(path)!));
    if (idle !== undefined)
      return `The field ${idle} has no effect in the cell ${named(name)}; give the cells one by one, each with the fields that it uses.`;
    const matched = match === undefined ? parsed.value : withMatch(parsed.value, { description, common, name });
    if (typeof matched === 'string') return matched;
    const measure = draft.measure && (await measureOf(draft.measure, matched));
    if (typeof measure === 'string') return `The cell ${named(name)} cannot be measured: ${measure}`;
    groups.push({ name, config: matched, ...(measure ? { measure } : {}) });
  }
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined) return `Two cells are named ${named(twice)}; give each its own “name”.`;
  const cells: Cell[] = [];
  for (const seed of seeds) {
    for (const [group, { name, config: first, measure }] of groups.entries()) {
      const config = configWith({ 'run.seed': seed }, first);
      // what a rule looks at may be drawn by the seed
      const refused = await refusal(config);
      if (refused !== null) {
        const onCpu = configWith({ 'run.backend': 'cpu' }, config);
        const out =
          description.backend === 'webgpu' && (await refusal(onCpu)) === null ? ' With “backend”: “cpu” it can.' : '';
        return `The cell ${named(seed === seeds[0] ? name : `${name}, seed ${seed}`)} cannot be trained: ${refused}${out}`;
      }
      const address = `${await configDigest(config)}${suffixOf(limit)}`;
      const own = { address, name: `${name}, seed ${seed}`, group, seed, config, limit };
      cells.push(measure ? { ...own, measure } : own);
    }
  }
  const twin = twins(cells.slice(0, groups.length));
  if (twin)
    return `The cells ${named(groups[twin[0]]!.name)} and ${named(groups[twin[1]]!.name)} are the same experiment.`;
  const steps = limit?.of === 'environmentSteps' ? limit.amount : null;
  const mostSteps =
    limit?.of === 'seconds'
      ? null
      : groups.reduce((sum, { config }) => sum + (steps ?? mostStepsOf(config)), 0) * seeds.length;
  return { groups, cells, threshold: description.threshold ?? THRESHOLD, mostSteps };
}

const named = (name: string): string => `“${name.slice(0, 120)}”`;

/** How many groups there will be, before they are made. */
const countOf = ({ cells, vary = {} }: Description): number =>
  Object.values(vary).reduce((n, values) => n * values.length, cells?.length ?? 1);

function draftsOf({ cells, vary = {}, measure: usual }: Description): Draft[] {
  const grid = Object.entries(vary).reduce<Changes[]>(
    (points, [path, values]) => points.flatMap((point) => values.map((value) => ({ ...point, [path]: value }))),
    [{}],
  );
  return (cells ?? [{ set: {} }]).flatMap(({ name, set, measure = usual }: Named) =>
    grid.map((point) => ({ name: name ?? null, set: { ...set, ...point }, measure })),
  );
}

function seedsOf({ seeds }: Description, base: Config): readonly number[] | string {
  if (typeof seeds === 'object') return seeds;
  const first = getValue(base, 'run.seed') as number;
  if (first + seeds - 1 > 2 ** 32 - 1) return `From seed ${first} on there are fewer than ${seeds} seeds.`;
  return Array.from({ length: seeds }, (_, k) => first + k);
}

/** Names of the groups: their own where they have one, with what tells those of one name apart; else by difference. */
function namesOf(drafts: readonly Draft[], configs: readonly Config[]): string[] {
  const free = drafts.flatMap((draft, k) => (draft.name === null ? [configs[k]!] : []));
  const byDifference = new Map(namesByDifference(free).map((name, k) => [free[k]!, name]));
  return drafts.map(({ name }, k) => {
    if (name === null) return byDifference.get(configs[k]!)!;
    const same = configs.filter((_, other) => drafts[other]!.name === name);
    if (same.length === 1) return name;
    return `${name}, ${namesByDifference(same)[same.indexOf(configs[k]!)]!}`;
  });
}

type Matching = { readonly description: Description; readonly common: Config; readonly name: string };

/** The config with the updates that make cells equal in what is matched, or the sentence of why it cannot be. */
function withMatch(config: Config, { description, common, name }: Matching): Config | string {
  const { match, updates = 0 } = description;
  if (match === 'updateSize') return configWith({ 'revise.matchSize.on': true }, config);
  const limit = limitOf(description);
  if (limit) {
    if (getValue(config, 'optimizer.schedule') !== 'constant')
      return `The learning rate of the cell ${named(name)} falls until its last update, and with matched ${limit.of === 'seconds' ? 'seconds' : 'environment steps'} that update is not known beforehand; set optimizer.schedule to constant.`;
    if (limit.of === 'seconds') return configWith({ 'run.updates': MOST_UPDATES }, config);
    // an episode takes at least one step
    const perUpdate =
      (getValue(config, 'rollout.tasksPerBatch') as number) * (getValue(config, 'rollout.groupSize') as number);
    return configWith({ 'run.updates': Math.min(MOST_UPDATES, Math.ceil(limit.amount / perUpdate)) }, config);
  }
  if (match !== 'gradientSteps') return config;
  const [own, base] = [gradientSteps(config), gradientSteps(common)];
  const matched = (updates * base) / own;
  if (!Number.isInteger(matched))
    return `The cell ${named(name)} takes ${own} gradient steps per update and the base ${base}: to match them, “updates” must be a multiple of ${own / divisor(own, base)}.`;
  return configWith({ 'run.updates': matched }, config);
}

/** Gradient steps of an update, if nothing ends it early. */
const gradientSteps = (config: Config): number =>
  (getValue(config, 'objective.epochs') as number) * (getValue(config, 'objective.minibatches') as number);

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** Why an experiment cannot be a cell, with the way out; null if it can. */
async function refusal(config: Config): Promise<string | null> {
  const parsed = parseConfig(config);
  if (!parsed.ok) return problemLine(parsed.problem);
  if (getValue(config, 'analysis.evalEvery') === 0)
    return 'it is never evaluated, so it would have no score; set analysis.evalEvery to 5.';
  await prepareTask(config);
  const error = checkRules(config).find((issue) => issue.severity === 'error');
  if (!error) return tooLargeForSeveral(config);
  return `the field ${error.path} ${error.message}.${error.repair ? ` Repair: ${error.repair.label}.` : ''}`;
}

/** A run alone may take more where the machine has it; of a sweep as many train at a time as there are cores. */
function tooLargeForSeveral(config: Config): string | null {
  const [bytes, where] = largest(config);
  if (bytes <= LEAST) return null;
  return `it takes ${size(bytes)} of ${where}, and cells of a sweep have at most ${size(LEAST)} each, since several train at a time. Make the batch or the network smaller, or train it as a run.`;
}

/** Places of the first two groups with the same address. */
function twins(cells: readonly Cell[]): [number, number] | null {
  const places = new Map<string, number>();
  for (const [k, { address }] of cells.entries()) {
    const other = places.get(address);
    if (other !== undefined) return [other, k];
    places.set(address, k);
  }
  return null;
}

const mostStepsOf = (config: Config): number =>
  (estimateCost(config, null)?.mostSteps ?? 0) * (getValue(config, 'run.updates') as number);
