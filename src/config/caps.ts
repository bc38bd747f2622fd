import { networkOf } from '../networks/policy.ts';
import { objectives } from '../slots/methods.ts';
import { stagesOf } from './fork.ts';
import { makeLevelOf } from './level.ts';
import { memoryOf } from './memory.ts';
import { bytesAllowed } from './memoryCap.ts';
import { stepsPlayedAtMost } from './cost.ts';
import { fieldAt, getValue, setValue } from './schema.ts';
import type { Config } from './slots.ts';

/**
 * Largest sizes that are started at all, wherever an experiment comes from; old versions of the policy have a share of their
 * own. The memory that one may take follows the machine: see memoryCap.ts. Steps: 65,536 episodes of 64, a quarter of what
 * an f32 counts one by one, so that a sum of lengths is exact wherever it is made.
 */
export const CAPS = {
  parameters: 2_000_000,
  steps: 4_194_304,
  pastBytes: 128 * 2 ** 20,
} as const;

/** Up to here an experiment is prepared before anybody presses Run; a larger one waits. */
export const SMALL = { bytes: 192 * 2 ** 20, products: 5e10 } as const;

type Change = { readonly path: string; readonly value: unknown };
/** A setting that makes a run smaller: its values from the largest below the present one down to the least, as an index. */
type Lever = { readonly steps: number; at(config: Config, index: number): Config; readonly path: string };
type MakeLever = (config: Config) => Lever;

/** A cap that is passed: what is too large, in words that follow the name of a field, and what makes it smaller. */
type Passed = {
  readonly cap: keyof typeof CAPS | 'bytes';
  readonly message: string;
  readonly levers: readonly MakeLever[];
};
export type CapIssue = {
  readonly path: string;
  readonly message: string;
  readonly repair?: { readonly label: string; readonly set: readonly Change[] };
};

const number = (config: Config, path: string): number => getValue(config, path) as number;
/** "300 MiB", "1.5 GiB". */
export const size = (bytes: number): string =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;

/** A number from one below what it is down to its least. */
const whole =
  (path: string, leastOf: (config: Config) => number): MakeLever =>
  (config) => {
    const top = number(config, path) - 1;
    return {
      path,
      steps: Math.max(0, top - leastOf(config) + 1),
      at: (c, k) => withFewerMinibatches(setValue(c, path, top - k)),
    };
  };

/** Minibatches hold whole episodes, for some objectives whole groups: there may be no more of them than of these. */
function withFewerMinibatches(config: Config): Config {
  const P = number(config, 'rollout.tasksPerBatch');
  const wholeGroups = objectives.find((o) => o.id === config.objective.method)?.wholeGroups === true;
  const most = wholeGroups ? P : P * number(config, 'rollout.groupSize');
  return number(config, 'objective.minibatches') <= most ? config : setValue(config, 'objective.minibatches', most);
}

/** Rows of every group that are not the policy's own. */
export function otherRows(config: Config): number {
  const objective = objectives.find((o) => o.id === config.objective.method);
  return objective?.rows ? number(config, `objective.${objective.id}.${objective.rows.count}`) : 0;
}

/** Members that a group needs besides the rows from somewhere else in it, so that there is something to compare. */
export function leastGroup(config: Config): number {
  return Math.max(2, 1 + otherRows(config));
}

const seeds = whole('run.seeds', () => 1);
const tasks = whole('rollout.tasksPerBatch', () => 1);
const group = whole('rollout.groupSize', leastGroup);
const staleness = whole('rollout.staleness', () => 0);

/** The sizes of the network, as far as its record says how it is made smaller. */
const widths: MakeLever = (config) => {
  const network = networkOf(config.policy.method);
  const smaller = network.smaller?.(config.policy[network.id] as never);
  if (!smaller) return { path: 'policy.method', steps: 0, at: (c) => c };
  const path = `policy.${network.id}.${smaller.setting}`;
  return { path, steps: smaller.steps, at: (c, k) => setValue(c, path, smaller.at(k)) };
};

const known = new WeakMap<Config, readonly Passed[]>();

/** Every cap that a config passes. Nothing for a level that cannot be made, which has an error of its own. */
function passedBy(config: Config): readonly Passed[] {
  let found = known.get(config);
  if (!found) known.set(config, (found = [...look(config)]));
  return found;
}

function* look(config: Config): Generator<Passed> {
  const level = makeLevelOf(config);
  if (!level.ok) return;
  const { maxSteps, policy } = level.value;
  const { parameters, size: weights } = policy.layout;
  const B = number(config, 'rollout.tasksPerBatch') * number(config, 'rollout.groupSize');
  const few = (n: number): string => n.toLocaleString('en');
  if (B * maxSteps > CAPS.steps) {
    const message = `makes ${few(B)} episodes of up to ${few(maxSteps)} steps: more than ${few(CAPS.steps)} steps per update`;
    yield { cap: 'steps', message, levers: [tasks, group] };
  }
  if (parameters > CAPS.parameters) {
    const message = `makes ${few(parameters)} parameters; at most ${few(CAPS.parameters)} are trained`;
    yield { cap: 'parameters', message, levers: [widths] };
  }
  const lag = number(config, 'rollout.staleness');
  if (lag > 0 && 4 * number(config, 'run.seeds') * weights * (lag + 1) > CAPS.pastBytes) {
    const message = `keeps ${lag + 1} versions of the policy for every seed: more than ${size(CAPS.pastBytes)}`;
    yield { cap: 'pastBytes', message, levers: [staleness, seeds, widths] };
  }
  const [bytes, where] = largest(config);
  if (bytes > bytesAllowed()) {
    const message = `makes the run take ${size(bytes)} of ${where}; at most ${size(bytesAllowed())} are given to one`;
    yield { cap: 'bytes', message, levers: [seeds, tasks, group, widths, staleness] };
  }
}

/** The most that the experiment takes anywhere, on the backends that it may train on. */
export function largest(config: Config): readonly [number, string] {
  const memory = memoryOf(config);
  if (!memory) return [0, ''];
  const backend = config.run['backend'];
  const { cpu, besideGpu } = memory.most;
  const main = Math.max(backend === 'webgpu' ? 0 : cpu, backend === 'cpu' ? 0 : besideGpu);
  const gpu = backend === 'cpu' ? 0 : memory.gpu;
  return gpu > main ? [gpu, 'graphics memory'] : [main, 'memory'];
}

/**
 * What is too large about a config, told before anything of it is made, with the largest setting that fits. The parts of a
 * forked run before its forks are trained as well, so they are held to the same caps.
 */
export function capIssues(config: Config): CapIssue[] {
  const passed = passedBy(config)[0];
  if (passed) {
    const set = repairOf(config);
    const path = set?.[0]?.path ?? passed.levers[0]!(config).path;
    return [{ path, message: passed.message, ...(set ? { repair: { label: labelOf(set), set } } : {}) }];
  }
  const stages = stagesOf(config);
  const early = stages.ok ? stages.stages.find((stage) => passedBy(stage.config).length > 0) : undefined;
  if (!early) return [];
  const message = `is too large before update ${early.until}: a setting there ${passedBy(early.config)[0]!.message}`;
  const repair = { label: 'make it a separate run', set: [{ path: 'run.fork', value: '' }] };
  return [{ path: 'run.fork', message, repair }];
}

/** Takes one cap after the other, until none is passed; null where even the least is too much. */
function repairOf(config: Config): readonly Change[] | null {
  const paths: string[] = [];
  let smaller = config;
  for (let passed = passedBy(config)[0]; passed; passed = passedBy(smaller)[0]) {
    const { cap } = passed;
    const keeps = (c: Config): boolean => !passedBy(c).some((other) => other.cap === cap);
    const found = withinCap(smaller, passed.levers, keeps);
    if (!found) return null;
    smaller = found.config;
    paths.push(...found.paths);
  }
  const changed = [...new Set([...paths, 'objective.minibatches'])];
  return changed.flatMap((path) => {
    const value = getValue(smaller, path);
    return value === getValue(config, path) ? [] : [{ path, value }];
  });
}

type Smaller = { readonly config: Config; readonly paths: readonly string[] };

/** The first setting that is enough by itself, at its largest value that fits; else several, each as small as it gets but the last. */
function withinCap(config: Config, levers: readonly MakeLever[], keeps: (config: Config) => boolean): Smaller | null {
  for (const make of levers) {
    const lever = make(config);
    const found = largestThatFits(config, lever, keeps);
    if (found) return { config: found, paths: [lever.path] };
  }
  const paths: string[] = [];
  let smaller = config;
  for (const make of levers) {
    const lever = make(smaller);
    if (lever.steps === 0) continue;
    paths.push(lever.path);
    const found = largestThatFits(smaller, lever, keeps);
    if (found) return { config: found, paths };
    smaller = lever.at(smaller, lever.steps - 1);
  }
  return null;
}

/** By halving: sizes fall with every step of a lever. What comes back has been checked itself. */
function largestThatFits(config: Config, lever: Lever, keeps: (config: Config) => boolean): Config | null {
  if (lever.steps === 0) return null;
  let [tooLarge, enough] = [-1, lever.steps - 1];
  let found = lever.at(config, enough);
  if (!keeps(found)) return null;
  while (enough - tooLarge > 1) {
    const middle = Math.floor((tooLarge + enough) / 2);
    const tried = lever.at(config, middle);
    if (keeps(tried)) [enough, found] = [middle, tried];
    else tooLarge = middle;
  }
  return found;
}

function labelOf(set: readonly Change[]): string {
  const words = ({ value }: Change): string => (Array.isArray(value) ? value.join(', ') : String(value));
  if (set.length === 1) return `set ${words(set[0]!)}`;
  return `set ${set.map((change) => `${nameOf(change.path)} ${words(change)}`).join(', ')}`;
}

const nameOf = (path: string): string => (fieldAt(path)?.setting?.label ?? path).toLowerCase();

/** Multiplications of an update, about: two for every weight and step that may be played, six for each time one is learned. */
export function productsOf(config: Config): number {
  const level = makeLevelOf(config);
  if (!level.ok) return 0;
  const { maxSteps: T, policy } = level.value;
  const [P, G] = [number(config, 'rollout.tasksPerBatch'), number(config, 'rollout.groupSize')];
  const most = stepsPlayedAtMost(config, { P, G, T });
  const steps = 2 * most + 6 * number(config, 'objective.epochs') * P * G * T;
  return number(config, 'run.seeds') * policy.layout.parameters * steps;
}

/**
 * True where preparing a run costs so little that it is done before anybody presses Run: little memory, and little to
 * compute in an update or in cloning before the first one.
 */
export function isSmall(config: Config): boolean {
  const level = makeLevelOf(config);
  if (!level.ok) return true;
  const { maxSteps: T, policy } = level.value;
  const cloned =
    number(config, 'run.seeds') * number(config, 'policy.cloneEpisodes') * number(config, 'policy.cloneSteps');
  const products = productsOf(config) + 6 * cloned * T * policy.layout.parameters;
  return largest(config)[0] <= SMALL.bytes && products <= SMALL.products;
}
