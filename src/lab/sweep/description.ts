import * as v from 'valibot';
import { fieldAt, sameValue } from '../../config/schema.ts';
import { parse, type SettingValue } from '../../core/settings.ts';
import type { AskedMeasure } from './measures/types.ts';

/** Where the cells of a sweep train. */
export const SWEEP_BACKENDS = ['cpu', 'webgpu'] as const;
export type SweepBackend = (typeof SWEEP_BACKENDS)[number];

/** Changes to an experiment, by path. */
export type Changes = Readonly<Record<string, SettingValue>>;

/** What is equal in all cells when they are compared. */
export const MATCHES = ['updates', 'gradientSteps', 'environmentSteps', 'seconds', 'updateSize'] as const;
export type Match = (typeof MATCHES)[number];

/** A cell with a name of its own; without one it is named by what it sets. */
export type Named = {
  readonly name?: string | undefined;
  readonly set: Changes;
  /** in place of the measure of the sweep */
  readonly measure?: AskedMeasure | undefined;
};

/** A sweep as people write it: a base, what differs between the cells, how often and how long each trains. */
export type Description = {
  /** a preset, a link, a file, or a whole config */
  readonly base: string | Readonly<Record<string, unknown>>;
  /** laid over the base in every cell */
  readonly set?: Changes | undefined;
  /** a grid: every combination of these values is a cell */
  readonly vary?: Readonly<Record<string, readonly SettingValue[]>> | undefined;
  /** cells one by one; with `vary`, each of them with the whole grid */
  readonly cells?: readonly Named[] | undefined;
  /** how many from the seed of the base on, or which */
  readonly seeds: number | readonly number[];
  /** updates of every cell; without it those of its own config */
  readonly updates?: number | undefined;
  readonly match?: Match | undefined;
  /** environment steps of every seed, where these are matched */
  readonly steps?: number | undefined;
  /** seconds that every cell trains, where these are matched: the one result that another machine does not repeat */
  readonly seconds?: number | undefined;
  /** where all cells train; without it on the CPU path, whose results are the same on every machine */
  readonly backend?: SweepBackend | undefined;
  /** success from which `steps to` counts */
  readonly threshold?: number | undefined;
  /** what is measured beside every cell, on the command line */
  readonly measure?: AskedMeasure | undefined;
};

const MOST_SEEDS = 1000;
const LARGEST_SEED = 2 ** 32 - 1;
const value = v.union(
  [v.number(), v.string(), v.boolean(), v.array(v.number())],
  'must be a number, a text, true or false, or a list of numbers',
);
const changes = v.record(v.string(), value, 'must be a group of fields and values');
const measure = v.objectWithRest(
  { method: v.string('must be the name of a measure') },
  value,
  'must be the name of a measure, as “method”, with its settings',
);
const whole = (least: number, most: number): v.GenericSchema<unknown, number> => {
  const range = `must be a whole number between ${least} and ${most}`;
  return v.pipe(v.number(range), v.integer(range), v.minValue(least, range), v.maxValue(most, range));
};

const schema = v.strictObject({
  base: v.union(
    [v.string(), v.record(v.string(), v.unknown())],
    'must be the name of a preset, a link, a file, or a whole config',
  ),
  set: v.optional(changes),
  vary: v.optional(
    v.record(
      v.string(),
      v.pipe(v.array(value, 'must be a list of values'), v.minLength(1, 'needs at least one value')),
      'must be a group of fields with a list of values each',
    ),
  ),
  cells: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          name: v.optional(v.pipe(v.string(), v.minLength(1, 'is empty'), v.maxLength(80, 'has over 80 characters'))),
          set: changes,
          measure: v.optional(measure),
        }),
        'must be a list of cells',
      ),
      v.minLength(1, 'needs at least one cell'),
    ),
  ),
  seeds: v.union(
    [whole(1, MOST_SEEDS), v.pipe(v.array(whole(0, LARGEST_SEED)), v.minLength(1), v.maxLength(MOST_SEEDS))],
    `must be a whole number between 1 and ${MOST_SEEDS}, or a list of seeds`,
  ),
  updates: v.optional(whole(1, 20_000)),
  match: v.optional(v.picklist(MATCHES, `must be one of ${MATCHES.join(', ')}`)),
  steps: v.optional(whole(1, 1e12)),
  seconds: v.optional(whole(1, 86_400)),
  backend: v.optional(v.picklist(SWEEP_BACKENDS, `must be one of ${SWEEP_BACKENDS.join(', ')}`)),
  threshold: v.optional(v.pipe(v.number(), v.minValue(0, 'is below 0'), v.maxValue(1, 'is above 1'))),
  measure: v.optional(measure),
});

/** Fields that the description decides in another place. */
export const SWEEP_DECIDES: Readonly<Record<string, string>> = {
  'run.seed': '“seeds” says which seeds there are',
  'run.seeds': '“seeds” says how many seeds there are, and each is a separate cell',
  'run.backend': '“backend” says where all cells train',
};

/** What says how long a cell trains where it is not its updates. */
const AMOUNTS: Partial<Record<Match, { of: Match; field: 'steps' | 'seconds'; words: string }>> = {
  environmentSteps: { of: 'environmentSteps', field: 'steps', words: 'environment steps' },
  seconds: { of: 'seconds', field: 'seconds', words: 'seconds' },
};

/** Reads an untrusted description. A text is the one sentence on what is wrong with it. */
export function readDescription(raw: unknown): Description | string {
  const parsed = parse<Description>(schema, raw);
  if (!parsed.ok) {
    const { path, message } = parsed.issues[0]!;
    return path === '' ? `The description ${message}.` : `In the description, “${path.slice(0, 80)}” ${message}.`;
  }
  return fault(parsed.value) ?? parsed.value;
}

function fault(description: Description): string | null {
  const { set = {}, vary = {}, cells = [], seeds, updates, match = 'updates', backend } = description;
  const amount = AMOUNTS[match];
  const groups = [set, vary, ...cells.map((cell) => cell.set)];
  for (const path of groups.flatMap((group) => Object.keys(group))) {
    if (!fieldAt(path)) return `There is no field “${path.slice(0, 80)}” to set or vary.`;
    const where = SWEEP_DECIDES[path];
    if (where !== undefined) return `The field ${path} is not set or varied here: ${where}.`;
    if (path === 'run.updates' && (updates !== undefined || amount))
      return `The field run.updates is not set or varied here: “${amount?.field ?? 'updates'}” says how long each cell trains.`;
    if (path === 'revise.matchSize.on' && match === 'updateSize')
      return `The field ${path} is not set or varied here: “match” turns it on in every cell.`;
  }
  for (const path of Object.keys(vary)) {
    if (cells.some((cell) => Object.hasOwn(cell.set, path)))
      return `The field ${path} is varied and set by a cell as well; leave it in one of them.`;
    const values = vary[path]!;
    const twice = values.find((x, k) => values.slice(0, k).some((y) => sameValue(x, y)));
    if (twice !== undefined) return `The field ${path} has the value ${JSON.stringify(twice)} twice.`;
  }
  if (typeof seeds === 'object' && new Set(seeds).size < seeds.length) return 'In “seeds”, one seed appears twice.';
  for (const { field, words, of } of Object.values(AMOUNTS)) {
    const isWanted = field === amount?.field;
    if (!isWanted && description[field] !== undefined)
      return `“${field}” counts ${words}, for cells with “match”: "${of}"; others have “updates”.`;
    if (isWanted && description[field] === undefined)
      return `Cells matched by ${words} need “${field}”: how many each seed takes.`;
    if (isWanted && updates !== undefined) return `Cells matched by ${words} have “${field}” in place of “updates”.`;
  }
  if (backend === 'webgpu' && [description, ...cells].some(({ measure }) => measure !== undefined))
    return 'Cells that are measured train on the CPU path, which their measure looks at.';
  if (match === 'seconds' && backend === 'webgpu')
    return 'Cells matched by seconds train on the CPU path: on the GPU several cells train at once and share their time.';
  if (match === 'gradientSteps' && updates === undefined)
    return 'Cells matched by gradient steps need “updates”: those of the base, which the others have to match.';
  return null;
}
