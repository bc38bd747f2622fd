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
  'marks',
  'tells',
  'coefficient',
  'uniforms',
  'wgsl',
  'direction',
  'step',
  'rates',
  'next',
  'why',
  'report',
  'measure',
  'see',
  'pay',
  'settle',
  'loss',
  'constants',
  'versions',
  'transition',
]);
/** The same of modules of the slots, which the page only asks whether they have such a part. */
const OF_SLOTS: ReadonlySet<string> = new Set([
  ...ELSEWHERE,
  'ahead',
  'begin',
  'forget',
  'round',
  'take',
  'memory',
  'coefficients',
  'kept',
  'stopsAt',
  'cutsAt',
]);
/** Formulas of metrics, of which the page does not even ask. */
export const OF_METRICS: ReadonlySet<string> = new Set(['batch', 'policy', 'start', 'update', 'weights', 'gpu']);

/** How a network starts, computes and is recorded; the page asks for its sizes, and of these whether it has a recording. */
export const OF_NETWORKS: ReadonlySet<string> = new Set(['start', 'make', 'reading', 'gpu']);
/** The same of metrics to choose, of which the page asks whether a device can compute them. */
const OF_CHOSEN: ReadonlySet<string> = new Set(['batch', 'gpu']);

/** What is computed with the signals of a world, of which the page only asks whether a level has them. */
export const OF_SIGNALS: ReadonlySet<string> = new Set(['table', 'tell', 'novelKey', 'wgsl']);

/** What only workers ask of a world: long searches, what a teacher tells, and how a level lies on a device. */
export const OF_WORLDS: ReadonlySet<string> = new Set(['solve', 'packLevel', 'teach']);

const NETWORK = /[\\/]src[\\/]networks[\\/]\w+[\\/]\w+\.ts$/;

/** Modules with records, and what of these is left out. */
const RECORDS: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/[\\/]src[\\/]slots[\\/](advantage|objective|optimizer)[\\/].+\.ts$/, ELSEWHERE],
  [/[\\/]src[\\/]envs[\\/]\w+[\\/]signals\.ts$/, OF_SIGNALS],
  [/[\\/]src[\\/]envs[\\/](\w+)[\\/]\1\.ts$/, OF_WORLDS],
  [/[\\/]src[\\/]envs[\\/]perturb[\\/]\w+\.ts$/, OF_WORLDS],
  [/[\\/]src[\\/]slots[\\/]metrics[\\/]\w*[mM]etrics\.ts$/, OF_METRICS],
  [NETWORK, OF_NETWORKS],
  [/[\\/]src[\\/]slots[\\/]metrics[\\/]chosen[\\/].+\.ts$/, OF_CHOSEN],
  [/[\\/]src[\\/]slots[\\/](control|reward|revise|rollout|task|wrapper)[\\/].+\.ts$/, OF_SLOTS],
];

export type Node = {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
};

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

export type Property = Node & {
  readonly key: { readonly name?: string; readonly end: number };
  readonly value: Node & { readonly body?: Node };
  readonly method: boolean;
  readonly shorthand: boolean;
};

/** All properties of these names in a module, in their order; what is taken out of an object by its name is none. */
export function* propertiesNamed(program: unknown, names: ReadonlySet<string>): Generator<Property> {
  const taken = new Set<unknown>();
  for (const node of nodesIn(program)) {
    if (node.type === 'ObjectPattern') for (const one of node['properties'] as readonly Node[]) taken.add(one);
    const isNamed = node.type === 'Property' && names.has((node as Property).key.name ?? '');
    if (isNamed && !taken.has(node)) yield node as Property;
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
      for (const property of properties.filter((one): one is Property => one.type === 'Property')) {
        yield property;
        // how a process model learns is a record in the record
        if (property.key.name === 'process') yield* (property.value['properties'] ?? []) as readonly Property[];
      }
    }
  }
}

/** What stands for the part of a record, on the page or in a worker: whoever calls it finds out at once. */
const REFUSED = "{throw Error('not loaded')}";

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
    // what it would be given is nothing to the page
    const cut = method ? { start: key.end, end: value.end } : value;
    const isFunction = /Function/.test(value.type);
    const name = shorthand ? `${key.name}:` : '';
    light += code.slice(at, cut.start) + name + (method ? `()${REFUSED}` : isFunction ? `()=>${REFUSED}` : "''");
    at = cut.end;
  }
  return light + code.slice(at);
}

type Named = Node & { readonly name: string };
type Import = Node & { readonly specifiers: readonly (Node & { readonly local: Named })[]; readonly source: Node };
export type Declared = Node & {
  readonly declarations?: readonly { id: Named; init: (Node & { callee?: { name?: string } }) | null }[];
  readonly declaration?: Declared | null;
  readonly id?: Named;
};

/** The name of a function that a statement declares, or of settings; undefined for every other statement. */
function functionIn({ type, declarations, id }: Declared): string | undefined {
  if (type === 'FunctionDeclaration') return id?.name;
  const [only, another] = declarations ?? [];
  if (type !== 'VariableDeclaration' || another || !only?.init) return undefined;
  const isPlain = /Function/.test(only.init.type) || only.init.callee?.name === 'settings';
  return isPlain ? only.id.name : undefined;
}

/** True where a statement exports the record of an estimator or a reward. */
const isMethod = ({ declaration }: Declared): boolean =>
  /^define(Estimator|Reward)$/.test(declaration?.declarations?.[0]?.init?.callee?.name ?? '');

/**
 * The code of a module without the imports, and the functions of its own, that nothing in it names any more: a module
 * that only these asked for is no part of the page then. An import for its effect alone stays. Beside the record of an
 * estimator or a reward, functions for others go as well: the build fails, with the name, where the page asks for one.
 * @param parse gives the syntax tree of a module, with the list of its statements as `body`
 * @param keepsExports leaves those functions to whoever bundles
 */
export function withoutUnnamed(code: string, parse: (code: string) => unknown, keepsExports = false): string {
  const { body } = parse(code) as { readonly body: readonly Node[] };
  const namesOf = (node: Node): Set<string> =>
    new Set([...nodesIn(node)].filter(({ type }) => type === 'Identifier').map((found) => (found as Named).name));
  const imports = body.filter((node): node is Import => node.type === 'ImportDeclaration');
  const hasMethod = !keepsExports && body.some((node) => isMethod(node as Declared));
  const ownIn = (node: Declared): string | undefined => functionIn((hasMethod && node.declaration) || node);
  const own = new Map(body.map((node) => [node, ownIn(node as Declared)]));
  const named = new Set<string>();
  const kept = new Set<Node>(imports);
  // what is kept names functions, which name others
  for (let before = -1; before < kept.size;) {
    before = kept.size;
    for (const [node, name] of own) {
      if (kept.has(node) || (name !== undefined && !named.has(name))) continue;
      kept.add(node);
      for (const one of namesOf(node)) named.add(one);
    }
  }
  let [light, at] = ['', 0];
  const put = (node: Node, by: string): void => {
    light += code.slice(at, node.start) + by;
    at = node.end;
  };
  for (const node of body) {
    if (!kept.has(node)) put(node, '');
    else if (node.type === 'ImportDeclaration') {
      const { specifiers, source } = node as Import;
      const used = specifiers.filter(({ local }) => named.has(local.name));
      if (used.length === specifiers.length) continue;
      const text = (one: Node): string => code.slice(one.start, one.end);
      const others = used.filter(({ type }) => type === 'ImportSpecifier').map(text);
      const whole = used.filter(({ type }) => type !== 'ImportSpecifier').map(text);
      const list = [...whole, ...(others.length > 0 ? [`{${others.join()}}`] : [])].join();
      put(node, used.length > 0 ? `import ${list} from ${text(source)};` : '');
    }
  }
  return light + code.slice(at);
}

/** The first load of the page carries the words of the methods and not what only the worker computes with them. */
export const pageRecords: Plugin = {
  name: 'page-records',
  apply: 'build',
  enforce: 'post',
  transform(code, id) {
    const parts = leftOut(id);
    return parts ? lighter(this, code, parts) : null;
  },
};

/** What the page leaves out of the records in a file; undefined where a file has none. */
export const leftOut = (file: string): ReadonlySet<string> | undefined =>
  RECORDS.find(([files]) => files.test(file))?.[1];

/** A module without these parts of its records, and without what only they named. */
export function lighter({ parse }: Parser, code: string, parts: ReadonlySet<string>, keepsExports = false) {
  const light = withoutOtherParts(code, parse(code), parts);
  return { code: withoutUnnamed(light, (text) => parse(text), keepsExports), map: null };
}
export type Parser = { readonly parse: (code: string) => unknown };

/** A worker of its own has plugins of its own: what is built is known when it begins. */
export function builtFrom(files: RegExp) {
  let found = false;
  return {
    is: () => found,
    buildStart: ({ input }: { readonly input: object }) =>
      void (found = Object.values(input).some((file) => files.test(String(file)))),
  };
}

/** What only a device or a question about a step asks of a method. */
const OF_DEVICES: ReadonlySet<string> = new Set(['gpu', 'wgsl', 'marks', 'explain']);
const SLOTS = /[\\/]src[\\/]slots[\\/](?!metrics).+\.ts$/;

/**
 * The workers on the other cores, and that of lessons, never open a device and explain nothing: they get neither recordings
 * of networks nor compositions of methods.
 */
const CPU_WORKERS = /[\\/](replicas|cells|lesson)\.worker\.ts$/;

export function cpuWorkers(): Plugin {
  const { is, buildStart } = builtFrom(CPU_WORKERS);
  return {
    name: 'cpu-workers',
    apply: 'build',
    enforce: 'post',
    buildStart,
    transform(code, id) {
      const file = id.replace(PARTS, '');
      return is() && (NETWORK.test(file) || SLOTS.test(file)) ? lighter(this, code, OF_DEVICES) : null;
    },
  };
}

/** The worker that trains explains steps when someone asks: only then do estimators come with that part. */
const MAIN_WORKER = /[\\/]worker[\\/]worker\.ts$/;
const EXPLAIN: ReadonlySet<string> = new Set(['explain']);
/** The list of the estimators, and their records; one is a text, which has state and explains itself when it is loaded. */
const LIST = /[\\/]src[\\/]slots[\\/]methods\.ts$/;
const ESTIMATOR = /[\\/]src[\\/]slots[\\/]advantage[\\/](?!formula\.ts)(oprl[\\/])?\w+\.ts$/;
const ASKED = /[\\/]src[\\/]lab[\\/]explainers\.ts$/;
const WHOLE = '?whole';
/** Ends the name of a module of which only what computes is meant. */
export const PARTS = '?parts';

export function laterExplainers(): Plugin {
  const { is, buildStart } = builtFrom(MAIN_WORKER);
  return {
    name: 'later-explainers',
    apply: 'build',
    enforce: 'pre',
    buildStart,
    async resolveId(source, importer) {
      if (!is() || !importer || !(ASKED.test(importer) || importer.endsWith(WHOLE))) return null;
      const found = await this.resolve(source, importer.replace(WHOLE, ''), { skipSelf: true });
      return found && (LIST.test(found.id) || ESTIMATOR.test(found.id)) ? `${found.id}${WHOLE}` : found;
    },
    transform: {
      order: 'post',
      handler(code, id) {
        return is() && ESTIMATOR.test(id.replace(PARTS, '')) ? lighter(this, code, EXPLAIN) : null;
      },
    },
  };
}
