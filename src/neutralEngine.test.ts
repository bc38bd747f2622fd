import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { networks as registered } from './networks/registry.ts';
import { estimators, objectives, optimizers } from './slots/methods.ts';
import {
  controllers,
  revisions,
  rewards,
  rollouts,
  sideEpisodes,
  sources,
  versionRules,
  wrappers,
} from './slots/registry.ts';

/**
 * The engine is the loop over the slots: it names no module of them. What it has to know of one is a field of that module's
 * record. Read in the syntax of its files, so that comments may say what they like.
 */
const ENGINE = join(import.meta.dirname, 'engine');

/** The lists of modules, and the types of their records. */
const REGISTRIES = ['registry.ts', 'methods.ts', 'estimatorOf.ts', 'rollout/registry.ts', 'wrapper/registry.ts'];
/** The list of metrics with its places, and the other names of metrics. */
const METRICS = ['metrics/metrics.ts', 'metrics/aliases.ts'];
const isOpen = (file: string): boolean =>
  REGISTRIES.includes(file) || METRICS.includes(file) || /^(\w+\/){0,2}types\.ts$/.test(file);

const slots = [
  ...[estimators, objectives, optimizers, controllers, revisions, rewards, sources, wrappers],
  ...[rollouts.filter(({ id }) => id !== 'sampled'), sideEpisodes],
];
/** What restricts the choice of actions, by all its names: that of its record, of the tensor of its weights, of its metric. */
const restrictions = objectives.flatMap(({ restricts: of }) => (of ? [of.id, of.weights, of.metric] : []));
/** `demonstrations`: the one scheme of rows, which is no record with an id in a list. */
const modules = [
  ...slots.flatMap((slot) => slot.map(({ id }) => id as string)),
  ...[...restrictions, 'demonstrations'],
];
/** Rules that say which versions play: ids that are everyday words. */
const rulesOfVersions = versionRules.map(({ id }) => id);
const networks = registered.map(({ id }) => id as string);

/** Ids that are other things here, too: an even distribution of chance, and small arguments of a kernel. */
const OTHER_WORDS = ['uniform'];
/** Names that contain one and mean something else: a column of the batch. */
const OTHER_NAMES = ['planMask'];

/** Names that are other things than rules of versions: WebGPU's queue, and what is fixed in another sense. */
const NOT_RULES = ['queue', 'GPUQueue', 'isFixed', 'toFixed'];

/**
 * Experiments say which network they train, and the table of verl has verl's own words (a KL weight is `fixed` there);
 * everything else about a config asks its record.
 */
const EXPERIMENTS = /(Presets|learningRuns|stacks\/verl)\.ts$/;
const CONFIG = join(import.meta.dirname, 'config');

const posix = (path: string): string => path.split(sep).join('/');
const files = readdirSync(ENGINE, { recursive: true, encoding: 'utf8' })
  .map(posix)
  .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  .sort();
const read = (file: string): string => readFileSync(join(ENGINE, file), 'utf8');

/** The words of a name or a text, in lower case: `klStop` is `kl stop`. */
const wordsIn = (text: string): string =>
  ` ${text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .join(' ')} `;

/** Identifiers and texts of a file: imports by the name of their file alone, since folders are not names. */
function namesIn(code: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, name, value } = node as Record<string, unknown>;
    if (type === 'Identifier' || type === 'PrivateIdentifier') found.push(name as string);
    if (type === 'Literal' && typeof value === 'string') found.push(value.startsWith('.') ? basename(value) : value);
    if (type === 'TemplateElement') found.push((value as { cooked: string }).cooked);
    Object.values(node).forEach(visit);
  };
  visit(parseSync('engine.ts', code).program);
  return found;
}

/** Names of a file that contain the id of a module, each with the ids. */
function modulesNamed(code: string, ids: readonly string[]): string[] {
  const wanted = ids.filter((id) => !OTHER_WORDS.includes(id)).map(wordsIn);
  return [...new Set(namesIn(code))].filter((name) => {
    if (OTHER_NAMES.includes(name)) return false;
    const words = wordsIn(name);
    return wanted.some((id) => words.includes(id));
  });
}

/** Texts of a file that are the id of a rule of versions, and names that contain one. */
function rulesNamed(code: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as Record<string, unknown>;
    if (type === 'Literal' && rulesOfVersions.includes(value as string)) texts.push(`'${value as string}'`);
    Object.values(node).forEach(visit);
  };
  visit(parseSync('a.ts', code).program);
  return [...new Set([...texts, ...modulesNamed(code, rulesOfVersions).filter((name) => !NOT_RULES.includes(name))])];
}

/** Files of src/slots that a file imports, static or not, and may not. */
function hiddenImports(file: string, code: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync('engine.ts', code).module;
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => code.slice(start + 1, end - 1)),
  ];
  const folder = join(ENGINE, dirname(file));
  return requests
    .map((request) => posix(relative(join(ENGINE, '../slots'), resolve(folder, request))))
    .filter((target) => !target.startsWith('..') && !isOpen(target));
}

test('the engine imports nothing of the slots but registries and types', () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => hiddenImports(file, read(file)).map((target) => `${file}: ${target}`))).toEqual([]);
});

test('the engine names no module of a slot, in no file, identifier or text', () => {
  expect(modules.length).toBeGreaterThan(50);
  const named = files.flatMap((file) =>
    [...modulesNamed(read(file), modules), ...modulesNamed(`'${file}'`, modules)].map((name) => `${file}: ${name}`),
  );
  expect(named).toEqual([]);
});

test('neither the engine nor what is known of a config names a network: they ask its record', () => {
  const rules = readdirSync(CONFIG).filter((file) => file.endsWith('.ts') && !/\.test\./.test(file));
  const asked = rules.filter((file) => !EXPERIMENTS.test(file));
  expect(asked.length).toBeGreaterThan(20);
  const codes = [
    ...files.map((file) => [`engine/${file}`, read(file)] as const),
    ...asked.map((file) => [`config/${file}`, readFileSync(join(CONFIG, file), 'utf8')] as const),
  ];
  expect(codes.flatMap(([file, code]) => modulesNamed(code, networks).map((name) => `${file}: ${name}`))).toEqual([]);
});

test('neither the engine, nor a view, nor what is known of a config names a rule of versions', () => {
  const below = (folder: string, keep: (file: string) => boolean): (readonly [string, string])[] =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
      .map(posix)
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && keep(file))
      .map((file) => [`${folder}/${file}`, readFileSync(join(import.meta.dirname, folder, file), 'utf8')]);
  const codes = [
    ...files.map((file) => [`engine/${file}`, read(file)] as const),
    ...below('lab', () => true),
    ...below('config', (file) => !EXPERIMENTS.test(file)),
  ];
  expect(rulesOfVersions).toHaveLength(4);
  expect(codes.flatMap(([file, code]) => rulesNamed(code).map((name) => `${file}: ${name}`))).toEqual([]);
});

test('the rules themselves find what they should', () => {
  expect(modulesNamed(`import { x } from '../slots/advantage/oprl/preference.ts';`, modules)).toEqual([]);
  expect(modulesNamed(`import { ppoClip as x } from './a.ts';`, modules)).toEqual(['ppoClip']);
  expect(modulesNamed(`if (plan.optimizer.id === 'adam') f();`, modules)).toEqual(['adam']);
  expect(restrictions).toEqual(['maskPolicy', 'mask', 'maskedShare']);
  expect(modulesNamed(`const weights = new GpuMask(tensors['mask']).maskPolicy;`, modules)).toEqual([
    'GpuMask',
    'mask',
    'maskPolicy',
  ]);
  expect(modulesNamed(`put(s, 'maskedShare', grammar.masked);`, modules)).toEqual(['maskedShare']);
  expect(modulesNamed('throw new Error(`No GiGPO without groups of ${n}`);', modules)).toEqual([]);
  expect(modulesNamed('const text = `No gae without a ${critic}`;', modules)).toEqual(['No gae without a ']);
  expect(modulesNamed(`const addKlStop = kernels.klStopHold; // gigpo`, modules)).toEqual(['addKlStop', 'klStopHold']);
  expect(rulesNamed(`const queues = f.queue; if (x === 'queue') g(behavior.ages === "mixed");`)).toEqual([
    "'queue'",
    "'mixed'",
    'mixed',
  ]);
  expect(rulesNamed('new BoundedQueue(); device.queue.submit(); isFixed(); n.toFixed(1);')).toEqual(['BoundedQueue']);
  expect(hiddenImports('cpu/a.ts', `import { gae } from '../../slots/advantage/gae.ts';`)).toEqual([
    'advantage/gae.ts',
  ]);
  expect(hiddenImports('a.ts', `export { gae } from '../slots/advantage/gae.ts';`)).toEqual(['advantage/gae.ts']);
  expect(hiddenImports('a.ts', `const x = await import('../slots/advantage/gae.ts');`)).toEqual(['advantage/gae.ts']);
  expect(hiddenImports('a.ts', `import type { Credit } from '../slots/types.ts';`)).toEqual([]);
});
