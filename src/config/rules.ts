import { chosenOf } from '../contract/module.ts';
import type { ConfigIssue, Problem } from '../core/problem.ts';
import type { AnyValues } from '../core/settings.ts';
import { capIssues } from './caps.ts';
import { controlIssues } from './controlRules.ts';
import { creditIssues } from './creditRules.ts';
import { criticHints } from './criticRules.ts';
import { estimatorIssues } from './estimatorRules.ts';
import { parseEvents } from './events.ts';
import { stagesOf } from './fork.ts';
import { pathOf, wrappersOf } from '../slots/wrapper/registry.ts';
import { makeLevelOf, seenView, sharesStates } from './level.ts';
import { levelIssues } from './levelRules.ts';
import { sourceIssues } from './sourceRules.ts';
import { networkIssues, writes } from './networkRules.ts';
import { objectiveHints } from './objectiveRules.ts';
import { optimizerIssues } from './optimizerRules.ts';
import { rolloutIssues } from './rolloutRules.ts';
import { versionRuleOf } from './rolloutSettings.ts';
import { rewardIssues } from './rewardRules.ts';
import { signalIssues } from './signalRules.ts';
import { plainView } from '../envs/facts.ts';
import { environments } from '../envs/registry.ts';
import { unitIssues } from './unitRules.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { objectiveIn, objectives } from '../slots/methods.ts';
import { networkOf } from '../networks/policy.ts';
import { networks } from '../networks/registry.ts';
import { revisions } from '../slots/registry.ts';
import { actingIn, fields, getValue, isActive } from './schema.ts';
import { slots, type Config } from './slots.ts';

/** `error` refuses to start; `hint` says that something has no effect or wastes time. */
export type Issue = ConfigIssue & { readonly severity: 'error' | 'hint' };

type Rule = (config: Config) => Issue[];

const number = (config: Config, path: string): number => getValue(config, path) as number;
const error = (
  path: string,
  message: string,
  label: string,
  set: readonly { path: string; value: unknown }[],
): Issue => ({
  severity: 'error',
  path,
  message,
  repair: { label, set },
});
const hint = (
  path: string,
  message: string,
  label?: string,
  set?: readonly { path: string; value: unknown }[],
): Issue => ({
  severity: 'hint',
  path,
  message,
  ...(label && set ? { repair: { label, set } } : {}),
});

/** The settings of the chosen environment. */
const taskOf = (config: Config): AnyValues => config.task[config.task.method] as AnyValues;

const rules: readonly Rule[] = [
  function dataMustExist(config) {
    return slots.flatMap((slot) =>
      actingIn(config, slot).flatMap(({ module, path }) => {
        if (module.withheld === undefined) return [];
        const [first] = slot.modules;
        return path.endsWith('.method') && first
          ? [error(path, module.withheld, `use ${first.title}`, [{ path, value: first.id }])]
          : [error(path, module.withheld, 'switch it off', [{ path, value: false }])];
      }),
    );
  },
  function eventsMustBeReadable(config) {
    const events = parseEvents(getValue(config, 'run.events') as string);
    if (events.ok) return [];
    return [error('run.events', events.message, 'remove all changes', [{ path: 'run.events', value: '' }])];
  },
  function forkMustBeReadable(config) {
    const stages = stagesOf(config);
    if (stages.ok) return [];
    return [error('run.fork', stages.message, 'make it a separate run', [{ path: 'run.fork', value: '' }])];
  },
  estimatorIssues,
  function groupOfOne(config) {
    if (number(config, 'rollout.groupSize') > 1 || estimatorIssues(config).length > 0) return [];
    const refused = (message: string): Issue[] => [
      error('rollout.groupSize', `is 1: ${message}`, 'set 8', [{ path: 'rollout.groupSize', value: 8 }]),
    ];
    const nothing = (title: string): Issue[] =>
      refused(`${title} compares the episodes of a group, and a group of one teaches nothing`);
    const objective = objectives.find((o) => o.id === config.objective.method);
    // it never reads the credit
    if (objective?.readsReturns?.(config.objective[objective.id] as never))
      return objective.wholeGroups === true ? nothing(objective.title) : [];
    const estimator = estimatorIn(config.advantage)!;
    const values = config.advantage[estimator.id] as AnyValues;
    const alone = estimator.alone(values, Math.min(2, number(config, 'rollout.tasksPerBatch')));
    if (alone === 'nothing') return nothing(estimator.title);
    const where = 'would only learn where an episode came back to a state; it compares the episodes of a group';
    return alone === 'revisits' ? refused(`${estimator.title} ${where}`) : [];
  },
  function tooManyMinibatches(config) {
    const B = number(config, 'rollout.tasksPerBatch') * number(config, 'rollout.groupSize');
    if (number(config, 'objective.minibatches') <= B) return [];
    const message = `is larger than the ${B} episodes of a batch; a minibatch holds whole episodes`;
    return [error('objective.minibatches', message, `set ${B}`, [{ path: 'objective.minibatches', value: B }])];
  },
  function minibatchesOfGroups(config) {
    const objective = objectives.find((o) => o.id === config.objective.method);
    const P = number(config, 'rollout.tasksPerBatch');
    if (objective?.wholeGroups !== true || number(config, 'objective.minibatches') <= P) return [];
    const message = `is larger than the ${P} task groups of a batch; ${objective.title} needs whole groups`;
    return [error('objective.minibatches', message, `set ${P}`, [{ path: 'objective.minibatches', value: P }])];
  },
  function otherRowsLeaveOneOwn(config) {
    const objective = objectives.find((o) => o.id === config.objective.method);
    if (!objective?.rows) return [];
    const at = `objective.${objective.id}.${objective.rows.count}`;
    const d = number(config, at);
    const G = number(config, 'rollout.groupSize');
    if (d < G) return [];
    const set = [
      { path: at, value: Math.max(1, G - 1) },
      { path: 'rollout.groupSize', value: Math.max(2, G) },
    ];
    const message = `leaves the policy no episode in a group of ${G}`;
    return [error(at, message, `set ${Math.max(1, G - 1)}`, set)];
  },
  function levelMustParse(config) {
    const level = makeLevelOf(config);
    if (level.ok) return [];
    const { problem } = level;
    const { method } = config.task;
    const at = (name: string): string => `task.${method}.${name}`;
    const source = fields.find((f) => f.path === at('level'));
    const first = source?.setting?.kind === 'choice' ? source.setting.default : '';
    const label = source?.setting?.kind === 'choice' ? (source.setting.optionLabels?.[0] ?? first) : first;
    const back = [{ path: at('level'), value: first }];
    if (problem.kind === 'levelRejected' && getValue(config, at('level')) !== 'custom') {
      const message = 'makes a map that is too large; at most 64 cells along a side and 1,024 in all';
      return [error(at('n'), message, 'set 16', [{ path: at('n'), value: 16 }])];
    }
    if (problem.kind === 'levelRejected') {
      const message = `is refused at line ${problem.line}, column ${problem.column}: ${problem.detail.replace(/\.$/, '')}`;
      return [error(at('text'), message, `use ${label}`, back)];
    }
    const issue = problem.kind === 'configRejected' ? problem.issues[0] : undefined;
    if (issue?.repair) return [{ severity: 'error', ...issue }];
    return [error(issue?.path ?? 'task.method', issue?.message ?? 'cannot be made', `use ${label}`, back)];
  },
  function sizesAreCapped(config) {
    return capIssues(config).map((issue) => ({ severity: 'error', ...issue }));
  },
  function numbersNeedOneLevel(config) {
    if (seenView(config) !== 'index') return [];
    const level = makeLevelOf(config);
    if (level.ok && (level.value.isFixed || sharesStates(config))) return [];
    const drawn = 'every seed gets a new level here';
    if (networkOf(config.policy.method).isTable) {
      const set = [{ path: 'policy.method', value: networks[0]!.id }];
      return [error('policy.method', `has one row per state of one map; ${drawn}`, 'use a neural network', set)];
    }
    const path = `task.${config.task.method}.view`;
    const value = plainView(environments.find((e) => e.id === config.task.method)!);
    return [error(path, `numbers the states of one map; ${drawn}`, 'show the map itself', [{ path, value }])];
  },
  function wrappersMustFitTheView(config) {
    const view = seenView(config);
    return wrappersOf(config.task).flatMap(({ module, params }) => {
      const message = module.refuses?.(params, view);
      const path = pathOf(module);
      const value = module.isOff ? Object.values(module.params)[0]!.default : false;
      return message
        ? [error(path, message, module.isOff ? `set ${String(value)}` : 'leave it out', [{ path, value }])]
        : [];
    });
  },
  function wrappersMustRunThere(config) {
    if (config.run['backend'] === 'cpu') return [];
    const set = [{ path: 'run.backend', value: 'cpu' }];
    return wrappersOf(config.task).flatMap(({ module }) =>
      module.onlyOnCpu
        ? [error(pathOf(module), 'has no WebGPU form: the run trains on the CPU', 'run on the CPU', set)]
        : [],
    );
  },
  function maskNeedsTheMoment(config) {
    const path = `task.${config.task.method}.maskActions`;
    if (number(config, 'task.actionDelay') === 0 || taskOf(config)['maskActions'] !== true) return [];
    return [hint(path, 'forbids nothing while actions are delayed: what will be possible then is not known yet')];
  },
  function windowMustBeOdd(config) {
    const size = number(config, 'task.grid.window');
    const field = fields.find((f) => f.path === 'task.grid.window')!;
    if (!isActive(config, field) || size % 2 === 1) return [];
    return [
      error('task.grid.window', 'must be odd, so that the agent has a middle cell', `set ${size - 1}`, [
        { path: 'task.grid.window', value: size - 1 },
      ]),
    ];
  },
  function agesNeedOldData(config) {
    const { playsOne, metrics } = versionRuleOf(config.rollout as AnyValues);
    if (number(config, 'rollout.staleness') > 0 || playsOne || metrics) return [];
    return [hint('rollout.ages', 'has no effect while the staleness is 0')];
  },
  function versionHints(config) {
    const rollout = config.rollout as AnyValues;
    const found = versionRuleOf(rollout).hint?.(rollout);
    if (!found) return [];
    const [path, value] = [`rollout.${found.setting}`, found.instead];
    return [hint(path, found.message, `set ${String(value)}`, [{ path, value }])];
  },
  levelIssues,
  controlIssues,
  criticHints,
  creditIssues,
  unitIssues,
  rewardIssues,
  signalIssues,
  sourceIssues,
  rolloutIssues,
  objectiveHints,
  function revisionsNeedWholeActions(config) {
    if (!writes(config)) return [];
    return chosenOf(revisions, config.revise).flatMap(({ module }) => {
      const path = `revise.${module.id}.on`;
      const message = 'needs a policy that chooses whole actions';
      return module.wholeActions ? [error(path, message, 'switch it off', [{ path, value: false }])] : [];
    });
  },
  function revisionsNeedCreditOfSteps(config) {
    const estimator = estimatorIn(config.advantage);
    if (!writes(config) || estimator?.perUnit !== true) return [];
    return chosenOf(revisions, config.revise).map(({ module }) => {
      const path = `revise.${module.id}.on`;
      const message = `changes the credit of steps, and ${estimator.title} credits every word`;
      return error(path, message, 'switch it off', [{ path, value: false }]);
    });
  },
  function computedOnCpu(config) {
    if (config.run['backend'] === 'cpu') return [];
    const why = 'on the CPU: a run on the GPU reads every batch back and waits';
    return slots.flatMap((slot) =>
      slot.computes === undefined
        ? []
        : actingIn(config, slot)
            .filter(({ module, values }) => module.readsBack?.(values, writes(config)) === true)
            .map(({ path }) => hint(path, `computes ${slot.computes} ${why}`)),
    );
  },
  function surveyedOnCpu(config) {
    const objective = objectives.find((o) => o.id === config.objective.method);
    if (!objective || config.run['backend'] === 'cpu') return [];
    const values = config.objective[objective.id] as AnyValues;
    const { survey, marks } = objectiveIn(config.objective, objective);
    if (!survey || (marks && !writes(config))) return [];
    const scored = objective.readsScores?.(values as never);
    if (scored && writes(config)) {
      const message = 'takes the gradient of every written episode by itself: updates take several times as long';
      return [hint('objective.method', message)];
    }
    return [hint('objective.method', 'looks at whole minibatches: the GPU waits for the CPU before every step')];
  },
  function meansOfActions(config) {
    const objective = objectives.find((o) => o.id === config.objective.method);
    if (!objective?.readsMeans && !objective?.readsPowers) return [];
    const found: Issue[] = [];
    if (writes(config)) {
      const set = [{ path: 'objective.method', value: 'ppoClip' }];
      found.push(error('objective.method', 'needs a policy that chooses whole actions', 'use PPO clip', set));
    }
    if (objective.readsMeans && estimatorIn(config.advantage)?.comparesOutcomes !== true) {
      const message = `is the reward of ${objective.title}, which was made for outcomes compared within a group`;
      found.push(hint('advantage.method', message, 'use GRPO', [{ path: 'advantage.method', value: 'grpo' }]));
    }
    return found;
  },
  optimizerIssues,
  networkIssues,
];

/** What refuses to start, as a Problem; null where nothing does. */
export function refusalOf(config: Config): Problem | null {
  const issues = checkRules(config).filter((issue) => issue.severity === 'error');
  return issues.length > 0 ? { kind: 'configRejected', issues } : null;
}

/** Everything wrong or wasteful in a config that fits the schema. Errors first. */
export function checkRules(config: Config): Issue[] {
  const found = rules.flatMap((rule) => rule(config));
  return [...found.filter((i) => i.severity === 'error'), ...found.filter((i) => i.severity === 'hint')];
}
