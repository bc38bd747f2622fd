import type { AnyValues } from '../core/settings.ts';
import { environments } from '../envs/registry.ts';
import { NEVER_GROWS } from '../envs/types.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { sources } from '../slots/registry.ts';
import type { LevelAsked, TaskSource } from '../slots/task/types.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { makeLevelOf, seenView } from './level.ts';
import type { Issue } from './rules.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** What a task source cannot do with the rest of an experiment, or does in vain. */
export function sourceIssues(config: Config): Issue[] {
  const source = sources.find((s) => s.id === config.source.method);
  if (!source) return [];
  const values = config.source[source.id] as AnyValues;
  const found: Issue[] = [...startIssues(config, source), ...refusals(source, values)];
  const groupSize = getValue(config, 'rollout.groupSize') as number;
  const warning = found.length > 0 ? null : (source.warns?.(values as never, groupSize, askedOf(config)) ?? null);
  if (warning !== null) found.push({ severity: 'hint', path: 'source.method', message: warning });
  if (!source.wantsOutcomes) return found;
  const evenly = [{ path: 'source.method', value: sources[0]!.id }];
  const stays = source.grows ? whyItStays(config) : null;
  if (stays !== null)
    found.push({
      ...{ severity: 'error', path: 'source.method', message: stays },
      repair: { label: 'draw evenly', set: evenly },
    });
  if (source.climbs && !isLadder(config))
    found.push({
      ...{ severity: 'error', path: 'source.method', message: 'needs levels in families of rising difficulty' },
      repair:
        seenView(config) === 'index'
          ? { label: 'draw evenly', set: evenly }
          : { label: 'play such levels', set: [{ path: `task.${config.task.method}.level`, value: 'ladder' }] },
    });
  const level = makeLevelOf(config);
  // one level is enough where starts, stages or rows of it are chosen
  const isMore = source.starts === true || source.grows === true || source.climbs === true;
  if (!isMore && (getValue(config, 'task.levels') === 1 || (level.ok && level.value.isFixed)))
    found.push({
      ...{ severity: 'hint', path: 'source.method', message: 'has nothing to choose from: there is only one level' },
      repair: { label: 'draw evenly', set: evenly },
    });
  if (config.run['backend'] !== 'cpu')
    found.push({
      ...{ severity: 'hint', path: 'source.method' },
      message: 'waits for the outcomes of every update: on the GPU one update is in flight instead of two',
    });
  const hasCritic = estimatorIn(config.advantage)?.critic === true;
  const asksCritic = (now: AnyValues): boolean =>
    source.asks?.(now as never).some((what) => what === 'valueError' || what === 'ahead') === true;
  if (!hasCritic && asksCritic(values)) {
    const way = without(source, values, asksCritic);
    const path = way ? `source.${source.id}.${way.name}` : 'source.method';
    found.push({
      ...{ severity: 'error', path, message: 'asks the critic, and the estimator has none' },
      repair: way
        ? { label: `change ${way.label.toLowerCase()}`, set: [{ path, value: way.value }] }
        : { label: 'draw evenly', set: evenly },
    });
  }
  return found;
}

/** A setting that the source cannot work with. */
function refusals({ id, refuses }: TaskSource, values: AnyValues): Issue[] {
  const refused = refuses?.(values as never) ?? null;
  if (!refused) return [];
  const path = `source.${id}.${refused.setting}`;
  const repair = { label: 'put it right', set: [{ path, value: refused.instead }] };
  return [{ severity: 'error', path, message: refused.message, repair }];
}

/** Levels that are searched for the easiest one. */
const SEARCHED = 3;
const shortestOf = new WeakMap<Config['task'], number | null>();

/** What the warnings of a source may ask of the levels; a search only where they do. */
function askedOf(config: Config): LevelAsked {
  const facts = makeLevelOf(config);
  return {
    T: facts.ok ? facts.value.maxSteps : 0,
    levels: getValue(config, 'task.levels') as number,
    shortest() {
      if (!shortestOf.has(config.task)) shortestOf.set(config.task, shortestIn(config));
      return shortestOf.get(config.task)!;
    },
  };
}

function shortestIn(config: Config): number | null {
  const env = environments.find(({ id }) => id === config.task.method);
  if (!env) return null;
  const ways = Array.from({ length: SEARCHED }, (_, k) => {
    const level = env.level(config.task[env.id] as AnyValues, config.reward[env.id] as AnyValues, k + 1);
    return level.ok ? (env.shortestPath(level.value)?.length ?? null) : null;
  });
  const found = ways.filter((steps) => steps !== null);
  return found.length > 0 ? Math.min(...found) : null;
}

/** A saved state must mean the same in every episode of a group, and whoever begins in it. */
function startIssues({ task }: Config, { starts }: TaskSource): Issue[] {
  const wrapper = starts ? wrappersOf(task).find(({ module }) => module.deals || module.hides)?.module : undefined;
  if (!wrapper) return [];
  const why = wrapper.deals ? 'deals its members different things' : 'hides something else in every episode';
  return [
    {
      ...{ severity: 'error', path: 'source.method' },
      message: `begins in saved states that a group shares, and “${wrapper.title}” ${why}`,
      repair: { label: 'draw evenly', set: [{ path: 'source.method', value: sources[0]!.id }] },
    },
  ];
}

/** Why the task of a config does not grow in stages as it is trained; null: it does. */
function whyItStays({ task, reward }: Config): string | null {
  const bare = environments.find(({ id }) => id === task.method);
  if (!bare) return null;
  const env = wrappedBy(wrappersOf(task), bare, (reward[bare.id] ?? {}) as AnyValues);
  const values = task[bare.id] as AnyValues;
  if ((env.stages?.(values) ?? 1) <= 1)
    return 'needs a task that grows: set “Grow every” of the task or of levels in a row';
  // nobody knows before its rules are loaded
  return env.growEvery?.(values) === NEVER_GROWS
    ? 'adds stages as they are learned, and the last stage of this task is for evaluations alone'
    : null;
}

/** Do the levels of a config have families with tables of difficulty? Nobody knows before their rules are loaded. */
function isLadder({ task }: Config): boolean {
  const ladder = environments.find(({ id }) => id === task.method)?.families;
  return !ladder || ladder(task[task.method] as AnyValues).length > 0;
}

/** The first choice among the settings of a source that does without something. */
function without(
  { params }: TaskSource,
  values: AnyValues,
  has: (values: AnyValues) => boolean,
): { readonly name: string; readonly value: string; readonly label: string } | null {
  for (const [name, setting] of Object.entries(params)) {
    if (setting.kind !== 'choice') continue;
    const k = setting.options.findIndex((value) => !has({ ...values, [name]: value }));
    if (k >= 0) return { name, value: setting.options[k]!, label: setting.label };
  }
  return null;
}
