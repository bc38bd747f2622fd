import type { AnyValues } from '../core/settings.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { sources } from '../slots/registry.ts';
import type { TaskSource } from '../slots/task/types.ts';
import { makeLevelOf } from './level.ts';
import type { Issue } from './rules.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** What a task source cannot do with the rest of an experiment, or does in vain. */
export function sourceIssues(config: Config): Issue[] {
  const source = sources.find((s) => s.id === config.source.method);
  if (!source?.wantsOutcomes) return [];
  const found: Issue[] = [];
  const values = config.source[source.id] as AnyValues;
  const evenly = [{ path: 'source.method', value: sources[0]!.id }];
  const level = makeLevelOf(config);
  if (getValue(config, 'task.levels') === 1 || (level.ok && level.value.isFixed))
    found.push({
      ...{ severity: 'hint', path: 'source.method', message: 'has nothing to choose from: there is only one level' },
      repair: { label: 'draw evenly', set: evenly },
    });
  if (config.run['backend'] !== 'cpu')
    found.push({
      ...{ severity: 'hint', path: 'source.method' },
      message: 'waits for the outcomes of every update: on the GPU one update is in flight instead of two',
    });
  const warning = source.warns?.(values as never, getValue(config, 'rollout.groupSize') as number) ?? null;
  if (warning !== null) found.push({ severity: 'hint', path: 'source.method', message: warning });
  const hasCritic = estimatorIn(config.advantage)?.critic === true;
  const asksCritic = (now: AnyValues): boolean => source.asks?.(now as never).includes('valueError') === true;
  if (!hasCritic && asksCritic(values)) {
    const way = without(source, values, asksCritic);
    const path = way ? `source.${source.id}.${way.name}` : 'source.method';
    found.push({
      ...{ severity: 'error', path, message: 'asks for the error of the critic, and the estimator has none' },
      repair: way
        ? { label: `use ${way.label}`, set: [{ path, value: way.value }] }
        : { label: 'draw evenly', set: evenly },
    });
  }
  return found;
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
    if (k >= 0) return { name, value: setting.options[k]!, label: setting.optionLabels?.[k] ?? setting.options[k]! };
  }
  return null;
}
