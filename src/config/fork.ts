import type { ConfigIssue } from '../core/problem.ts';
import { canonicalJson } from './canonical.ts';
import { parseEvents } from './events.ts';
import { makeLevelOf } from './level.ts';
import { fieldAt, fields, getValue, parseConfig, sameValue, setValue } from './schema.ts';
import type { Config } from './slots.ts';

/** A part of a run's story: this config was in force before update `until`. It has no fork of its own. */
export type Stage = { readonly until: number; readonly config: Config };

export type Stages =
  { readonly ok: true; readonly stages: readonly Stage[] } | { readonly ok: false; readonly message: string };

/** As it is written: before update `at`, these settings had these values. */
type Written = { readonly at: number; readonly was: Readonly<Record<string, unknown>> };

const MOST_STAGES = 16;
const remembered = new WeakMap<Config, Stages>();

/**
 * Earlier stages of a forked run, oldest first; none for a run that is no fork. The text is a list such as
 * `[{"at":64,"was":{"advantage.method":"grpo"}}]`, each entry a difference to the stage that follows it.
 */
export function stagesOf(config: Config): Stages {
  let found = remembered.get(config);
  if (!found) remembered.set(config, (found = read(config)));
  return found;
}

const no = (message: string): Stages => ({ ok: false, message });

function read(config: Config): Stages {
  const list = writtenOf(config);
  if (typeof list === 'string') return no(list);
  let later = setValue(config, 'run.fork', '');
  const stages: Stage[] = [];
  for (const { at, was } of [...list].reverse()) {
    const strange = Object.keys(was).find((path) => !fieldAt(path) || path === 'run.fork');
    if (strange !== undefined) return no(`names “${strange.slice(0, 40)}”, which is not a setting`);
    const parsed = parseConfig(Object.entries(was).reduce((c, [path, value]) => setValue(c, path, value), later));
    if (!parsed.ok) {
      const issue = parsed.problem.kind === 'configRejected' ? parsed.problem.issues[0] : undefined;
      return no(`has an impossible value before update ${at}: ${issue?.path ?? 'a field'} ${issue?.message ?? ''}`);
    }
    const events = parseEvents(getValue(parsed.value, 'run.events') as string);
    if (!events.ok) return no(`has a mistake in the changes before update ${at}: it ${events.message}`);
    const broken = forkIssues(parsed.value, later, at)[0];
    if (broken) return no(`is not possible: at update ${at}, ${broken.path} ${broken.message}`);
    later = parsed.value;
    stages.unshift({ until: at, config: later });
  }
  return { ok: true, stages };
}

function writtenOf(config: Config): readonly Written[] | string {
  const text = getValue(config, 'run.fork') as string;
  if (text.trim() === '') return [];
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return 'is not readable: it is a list such as [{"at":64,"was":{"advantage.method":"grpo"}}]';
  }
  if (!Array.isArray(raw) || raw.length > MOST_STAGES) return `must be a list of at most ${MOST_STAGES} forks`;
  const list: Written[] = [];
  for (const entry of raw as unknown[]) {
    const { at, was } = (typeof entry === 'object' && entry !== null ? entry : {}) as Partial<Written>;
    if (!Number.isInteger(at) || at! < 1 || at! > 20_000 || typeof was !== 'object' || was === null)
      return 'must name for each fork an update from 1 to 20000 (“at”) and the earlier settings (“was”)';
    if (list.length > 0 && list.at(-1)!.at >= at!) return 'must name its forks in the order of updates';
    list.push({ at: at!, was });
  }
  return list;
}

/** The settings in force in update u, without the story of how they came to be. */
export function stageAt(config: Config, u: number): Config {
  const stages = stagesOf(config);
  const early = stages.ok ? stages.stages.find(({ until }) => u < until) : undefined;
  return early ? early.config : setValue(config, 'run.fork', '');
}

/** A run with `child`'s settings from update `at` on, which was `parent` until then. */
export function forkConfig(parent: Config, at: number, child: Config): Config {
  const before = stageAt(parent, at - 1);
  const own = setValue(child, 'run.fork', '');
  const was = Object.fromEntries(
    fields
      .filter(({ path }) => path !== 'run.fork' && !sameValue(getValue(before, path), getValue(own, path)))
      .map(({ path }) => [path, getValue(before, path)]),
  );
  const list = writtenOf(parent);
  const kept = typeof list === 'string' ? [] : list.filter((entry) => entry.at < at);
  return setValue(own, 'run.fork', canonicalJson([...kept, { at, was }]));
}

/** The run that a fork comes from, and at which update; null for a run that is no fork. */
export function parentOf(
  config: Config,
): { readonly at: number; readonly parent: Config; readonly own: Config } | null {
  const list = writtenOf(config);
  const stages = stagesOf(config);
  if (typeof list === 'string' || !stages.ok || list.length === 0) return null;
  const { until, config: before } = stages.stages.at(-1)!;
  const earlier = list.slice(0, -1);
  const parent = earlier.length === 0 ? before : setValue(before, 'run.fork', canonicalJson(earlier));
  return { at: until, parent, own: setValue(config, 'run.fork', '') };
}

/** Why `child` cannot continue from update `at` of a run with `parent`'s settings, field by field. */
export function forkIssues(parent: Config, child: Config, at: number): ConfigIssue[] {
  const changed = fields.filter(({ path }) => !sameValue(getValue(parent, path), getValue(child, path)));
  const paths = changed.map((f) => f.path);
  const issues: ConfigIssue[] = [];
  const refuse = (path: string, message: string): void => {
    const value = getValue(parent, path);
    issues.push({ path, message, repair: { label: 'as in the parent', set: [{ path, value }] } });
  };
  for (const path of ['run.seed', 'run.seeds'])
    if (paths.includes(path)) refuse(path, 'cannot change in a fork: the seeds of the parent continue');
  if (paths.includes('run.backend'))
    refuse('run.backend', 'cannot change in a fork, so that a replay repeats the parent');
  for (const path of ['cloneEpisodes', 'cloneSteps', 'cloneData', 'cloneShare', 'cloneErrs'].map(
    (id) => `policy.${id}`,
  ))
    if (paths.includes(path)) refuse(path, 'acts only before the first update, so it cannot change in a fork');
  if ((getValue(child, 'run.updates') as number) <= at)
    refuse('run.updates', `must be more than ${at}, the update at which the fork begins`);
  if (issues.length > 0 || sameShape(parent, child)) return issues;
  const blamed = changed.filter((f) => f.slot.id === 'task' || f.slot.id === 'policy');
  const suspects = blamed.length > 0 ? blamed : changed.filter((f) => f.path === 'advantage.method');
  for (const { path } of suspects)
    refuse(path, `changes the shape of the network, and the weights of update ${at} would no longer fit`);
  return issues;
}

/** True if the weights of one fit the other: the same tensors in the same places, the same actions. */
function sameShape(a: Config, b: Config): boolean {
  const [first, second] = [makeLevelOf(a), makeLevelOf(b)];
  // a broken level is refused by the rules, in better words
  if (!first.ok || !second.ok) return true;
  const shape = ({ value }: typeof first): string =>
    canonicalJson({ actions: value.actions, layout: value.policy.layout.tensors, network: value.policy.network.id });
  return shape(first) === shape(second);
}
