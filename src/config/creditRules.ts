import type { AnyValues } from '../core/settings.ts';
import { listsStates, plainView } from '../envs/facts.ts';
import { environments } from '../envs/registry.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { estimators, objectives } from '../slots/methods.ts';
import type { Estimator } from '../slots/types.ts';
import { wrappedBy, wrappersOf } from '../slots/wrapper/registry.ts';
import { STATE_LIMIT, whyInexact } from './exact.ts';
import { makeLevelOf } from './level.ts';
import type { Issue } from './rules.ts';
import type { Config, SlotConfig } from './slots.ts';

type Known = { readonly reward: SlotConfig; readonly flickers: boolean; readonly fits: boolean };
const known = new WeakMap<SlotConfig, Known>();

/** Whether the world of the level of seed 1 looks different by chance, and whether its states can be listed; once for a task. */
function worldOf(config: Config): Known {
  const before = known.get(config.task);
  if (before?.reward === config.reward) return before;
  const env = environments.find((e) => e.id === config.task.method)!;
  const settings = { ...(config.task[env.id] as AnyValues), view: plainView(env) };
  const level = env.level(settings, (config.reward[env.id] ?? {}) as AnyValues, 1);
  const flickers = level.ok && (env.flicker?.isOn(level.value) ?? false);
  const fits = !level.ok || listsStates(env, level.value, STATE_LIMIT);
  const made = { reward: config.reward, flickers, fits };
  known.set(config.task, made);
  return made;
}

/** What is wrong where an estimator asks for a score of each step that says what the step is worth to the policy. */
export function creditIssues(config: Config): Issue[] {
  const estimator = estimatorIn(config.advantage);
  const score = estimator?.scores?.(config.advantage[estimator.id] as never);
  const level = makeLevelOf(config);
  if (!estimator || !level.ok) return [];
  const wasted = estimator.hint?.(config.advantage[estimator.id] as never, level.value.cells);
  if (wasted) {
    const { message, instead: value } = wasted;
    const path = `advantage.${estimator.id}.${wasted.setting}`;
    return [{ severity: 'hint', path, message, repair: { label: `set ${String(value)}`, set: [{ path, value }] } }];
  }
  const unread = notesWithoutCredit(config, estimator);
  if (unread) return [unread];
  const missing = missingPart(config, estimator.needs, score?.of === 'answers');
  if (missing) return [missing];
  if (!score || score.of === 'signal' || score.of === 'answers') return [];
  const isChosen = Object.hasOwn(estimator.params, 'score');
  const path = isChosen ? `advantage.${estimator.id}.score` : 'advantage.method';
  const repair = isChosen
    ? { label: 'score steps by the milestones', set: [{ path, value: 'milestones' }] }
    : { label: 'use the first estimator', set: [{ path, value: estimators[0]!.id }] };
  const refused = (message: string): Issue[] => [{ severity: 'error', path, message, repair }];
  if (objectives.find((o) => o.id === config.objective.method)?.restricts)
    return refused('cannot be computed: the objective restricts which actions may be chosen, step by step');
  const rewards = config.reward[config.task.method] as AnyValues | undefined;
  const { flickers, fits } = worldOf(config);
  const why = whyInexact({ rewards, acting: wrappersOf(config.task), flickers, policy: level.value.policy });
  if (why !== null) return refused(`cannot be computed. ${why.replace(/\.$/, '')}`);
  if (score.of === 'exact' && !fits)
    return refused(
      `needs a level of at most ${STATE_LIMIT.toLocaleString('en')} states; from restored states it can be estimated`,
    );
  return [];
}

/** Notes that nobody learns to write: where they are due nothing is compared but states, and notes are compared with none. */
function notesWithoutCredit(config: Config, estimator: Estimator): Issue | null {
  const writes = wrappersOf(config.task).some(({ module, params }) => (module.noteSymbols?.(params) ?? 0) > 0);
  if (!writes || estimator.comparesStatesAlone?.(config.advantage[estimator.id] as never) !== true) return null;
  return {
    ...{ severity: 'hint', path: 'advantage.method' },
    message:
      'compares steps from equal states and nothing else; notes stay out of that, so what to write is not learned',
    repair: { label: 'use GiGPO', set: [{ path: 'advantage.method', value: 'gigpo' }] },
  };
}

/** What a world that asks or thinks has and this one has not, without which the estimator compares outcomes alone. */
function missingPart(config: Config, needs: readonly string[], asks: boolean): Issue | null {
  const bare = environments.find((e) => e.id === config.task.method)!;
  const env = wrappedBy(wrappersOf(config.task), bare, (config.reward[bare.id] ?? {}) as AnyValues);
  const hint = (what: string, label: string, path: string): Issue => ({
    ...{ severity: 'hint', path: 'advantage.method', message: `only compares outcomes: ${what}` },
    repair: { label, set: [{ path, value: true }] },
  });
  if (asks && !env.asks) return hint('the world asks no question', 'ask one', 'task.question.on');
  if (needs.includes('tag') && !env.signals?.isTagged)
    return hint('actions have no tags here', 'put a thought before each action', 'task.thoughts.on');
  if (needs.includes('decides') && !env.aiming)
    return hint('the policy sets itself no subgoals', 'let it set subgoals', 'task.subgoals.on');
  return null;
}
