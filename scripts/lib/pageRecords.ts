import type { Plugin } from 'vite';

/**
 * What only a worker or the command line asks of a method. The page shows records of methods and checks configs by them;
 * it never trains, and it asks the worker how a number came about.
 */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'run',
  'gpu',
  'explain',
  'survey',
  'coefficient',
  'uniforms',
  'wgsl',
  'direction',
  'step',
  'rates',
  'next',
  'report',
  'measure',
  'see',
  'pay',
  'settle',
  'constants',
  'versions',
  'transition',
]);
/** The same of modules of the slots, which the page only asks whether they have such a part. */
const OF_SLOTS: ReadonlySet<string> = new Set([...ELSEWHERE, 'forget', 'coefficients', 'kept', 'stopsAt', 'cutsAt']);
/** Formulas of metrics, of which the page does not even ask. */
export const OF_METRICS: ReadonlySet<string> = new Set(['batch', 'policy', 'start', 'update', 'weights', 'gpu']);

/** How a network starts, computes and is recorded; the page asks for its sizes, and of these whether it has a recording. */
export const OF_NETWORKS: ReadonlySet<string> = new Set(['start', 'make', 'reading', 'gpu']);
/** The same of metrics to choose, of which the page asks whether a device can compute them. */
const OF_CHOSEN: ReadonlySet<string> = new Set(['batch', 'gpu']);

/** What is computed with the signals of a world, of which the page only asks whether a level has them. */
export const OF_SIGNALS: ReadonlySet<string> = new Set(['table', 'tell', 'novelKey', 'wgsl']);

/** What only workers ask of a world: ways to the goal, and how a level lies on a device. */
export const OF_WORLDS: ReadonlySet<string> = new Set(['shortestPath', 'solve', 'packLevel']);

const NETWORK = /[\\/]src[\\/]networks[\\/]\w+[\\/]\w+\.ts$/;

/** Modules with records, and what of these is left out. */
const RECORDS: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/[\\/]src[\\/]slots[\\/](advantage|objective|optimizer)[\\/].+\.ts$/, ELSEWHERE],
  [/[\\/]src[\\/]envs[\\/]\w+[\\/]signals\.ts$/, OF_SIGNALS],
  [/[\\/]src[\\/]envs[\\/](\w+)[\\/]\1\.ts$/, OF_WORLDS],
  [/[\\/]src[\\/]slots[\\/]metrics[\\/]\w*[mM]etrics\.ts$/, OF_METRICS],
  [NETWORK, OF_NETWORKS],
  [/[\\/]src[\\/]slots[\\/]metrics[\\/]chosen[\\/].+\.ts$/, OF_CHOSEN],
  [/[\\/]src[\\/]slots[\\/](control|reward|revise|rollout|task|wrapper)[\\/].+\.ts$/, OF_SLOTS],
];

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [field: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** All nodes of a syntax tree, outer ones first. */
export function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  else if (isNode(value)) {
    yield value;
    for (const field of Object.values(value)) yield* nodesIn(field);
  }
}

type Property = Node & {
  readonly key: { readonly name?: string };
  readonly value: Node & { readonly body?: Node };
  readonly method: boolean;
  readonly shorthand: boolean;
};

/** All properties of these names in a module, in their order. */
export function* propertiesNamed(program: unknown, names: ReadonlySet<string>): Generator<Property> {
  for (const node of nodesIn(program)) {
    if (node.type === 'Property' && names.has((node as Property).key.name ?? '')) yield node as Property;
  }
}

/** Properties of the records that a module defines: of the objects, or lists of them, given to `defineEstimator` and its like. */
export function* propertiesOf(program: unknown): Generator<Property> {
  for (const node of nodesIn(program)) {
    const { callee } = node as { callee?: { name?: string } };
    if (node.type !== 'CallExpression' || !/^define[A-Z]/.test(callee?.name ?? '')) continue;
    const [given] = node['arguments'] as readonly Node[];
    const records = (given?.['elements'] ?? [given]) as readonly (Node | undefined)[];
    for (const record of records) {
      const properties = (record?.['properties'] ?? []) as readonly Node[];
      yield* properties.filter((property): property is Property => property.type === 'Property');
    }
  }
}

/** What stands for the part of a record: whoever calls it finds out at once. */
const REFUSED = "{throw Error('not on the page')}";

/**
 * The code of a module with records, without what only others call. The names stay, as the page asks whether a method
 * has such a part; those of metrics go as well.
 * @param program the syntax tree of `code`
 */
export function withoutOtherParts(code: string, program: unknown, parts: ReadonlySet<string> = ELSEWHERE): string {
  let [light, at] = ['', 0];
  // the record of a world is written out where it stands
  for (const property of parts === OF_WORLDS ? propertiesNamed(program, parts) : propertiesOf(program)) {
    const { key, value, method, shorthand } = property;
    if (!parts.has(key.name ?? '')) continue;
    if (parts === OF_METRICS || (parts === OF_NETWORKS && key.name !== 'gpu')) {
      light += `${code.slice(at, property.start)}...{}`;
      at = property.end;
      continue;
    }
    const cut = method ? value.body! : value;
    const isFunction = /Function/.test(value.type);
    const name = shorthand ? `${key.name}:` : '';
    light += code.slice(at, cut.start) + name + (method ? REFUSED : isFunction ? `()=>${REFUSED}` : "''");
    at = cut.end;
  }
  return light + code.slice(at);
}

/** The first load of the page carries the words of the methods and not what only the worker computes with them. */
export const pageRecords: Plugin = {
  name: 'page-records',
  apply: 'build',
  enforce: 'post',
  transform(code, id) {
    const found = RECORDS.find(([files]) => files.test(id));
    return found ? { code: withoutOtherParts(code, this.parse(code), found[1]), map: null } : null;
  },
};

/** The workers on the other cores, and that of lessons, never open a device: of the recordings of networks they get none. */
const CPU_WORKERS = /[\\/](replicas|cells|lesson)\.worker\.ts$/;

/** A worker of its own has plugins of its own: what is built is known when it begins. */
export function cpuWorkers(): Plugin {
  let isCpu = false;
  return {
    name: 'cpu-workers',
    apply: 'build',
    enforce: 'post',
    buildStart: ({ input }) => void (isCpu = Object.values(input).some((file) => CPU_WORKERS.test(file))),
    transform(code, id) {
      if (!isCpu || !NETWORK.test(id)) return null;
      return { code: withoutOtherParts(code, this.parse(code), new Set(['gpu'])), map: null };
    },
  };
}
