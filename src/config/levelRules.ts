import type { AnyValues } from '../core/settings.ts';
import { trainingContext } from '../contract/taskContext.ts';
import { growthOf, listsAll, MOST_STATES, plainView } from '../envs/facts.ts';
import { hasNames, type Dealing } from '../envs/levelDeal.ts';
import { environments } from '../envs/registry.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { dealIn } from './dealIn.ts';
import { makeLevelOf } from './level.ts';
import type { Issue } from './rules.ts';
import type { Config, SlotConfig } from './slots.ts';

/** Levels that are drawn to see how many there are. */
const LOOKED_AT = 64;

const off = { path: 'analysis.heldOut', value: false };

/** What of held-out levels and of levels that count as one cannot be, or is in vain. */
export const levelIssues = (config: Config): Issue[] => [
  ...keyIssues(config),
  ...poolIssues(config),
  ...dealIssues(config),
];

const lists = new WeakMap<SlotConfig, boolean>();

/** Says where a level has too many states for keys by bisimulation. */
function keyIssues(config: Config): Issue[] {
  if (config.task['stateKeys'] !== 'bisimulation' || !makeLevelOf(config).ok) return [];
  let fits = lists.get(config.task);
  if (fits === undefined) {
    const env = environments.find(({ id }) => id === config.task.method)!;
    const settings = { ...(config.task[env.id] as AnyValues), view: plainView(env) };
    const level = env.level(settings, (config.reward[env.id] ?? {}) as AnyValues, 1);
    lists.set(config.task, (fits = !level.ok || listsAll(env, level.value, MOST_STATES)));
  }
  if (fits) return [];
  const most = MOST_STATES.toLocaleString('en');
  const message = `are those of equal states here: the first level has more than ${most} states, too many to compare`;
  const set = [{ path: 'task.stateKeys', value: 'reduced' }];
  return [{ severity: 'hint', path: 'task.stateKeys', message, repair: { label: 'use reduced keys', set } }];
}

/** Why anchor groups over tasks are in vain, and where they are found. */
function poolIssues(config: Config): Issue[] {
  if (config.task['poolLevels'] !== true) return [];
  const estimator = estimatorIn(config.advantage);
  const path = 'task.poolLevels';
  const hint = (message: string): Issue[] => [{ severity: 'hint', path, message }];
  if (estimator?.poolsLevels !== true) return hint('has no effect: this estimator compares no states over tasks');
  if (Number(config.rollout['tasksPerBatch']) === 1) return hint('has no effect: a batch has one task');
  if (config.run['backend'] === 'cpu') return [];
  const repair = { label: 'run on the CPU', set: [{ path: 'run.backend', value: 'cpu' }] };
  return [{ severity: 'error', path, message: 'has no WebGPU form: the run trains on the CPU', repair }];
}

function dealIssues(config: Config): Issue[] {
  const isHeldOut = config.analysis['heldOut'] === true;
  const merges = config.task['sameLevels'] !== 'seed';
  if (!isHeldOut && !merges) return [];
  if (isHeldOut && Number(config.analysis['evalEvery']) === 0) {
    const set = [{ path: 'analysis.evalEvery', value: 5 }];
    const message = 'belongs to evaluations, and there are none';
    return [{ severity: 'error', path: off.path, message, repair: { label: 'evaluate every 5 updates', set } }];
  }
  const level = makeLevelOf(config);
  if (!level.ok) return [];
  const repair = { label: 'switch it off', set: [off] };
  if (level.value.isFixed) {
    if (!isHeldOut) return [inVain('has no effect: this task has one level for every seed')];
    const message = 'finds no other levels: this task has one level for every seed';
    return [{ severity: 'error', path: off.path, message, repair }];
  }
  // what compares levels may still be on its way
  const { lacks, different, dealt } = hasNames() ? censusOf(config) : { lacks: 0, different: 1, dealt: 1 };
  const found: Issue[] = [];
  if (lacks > 0) {
    const message = `finds too few levels: turned or mirrored, ${lacks} of those that train are held-out ones as well`;
    found.push({ severity: 'error', path: off.path, message, repair });
  }
  if (merges && different < dealt)
    found.push(
      inVain(`finds no more than ${different} different ${different === 1 ? 'level' : 'levels'} among ${dealt}`),
    );
  return found;
}

const inVain = (message: string): Issue => ({ severity: 'hint', path: 'task.sameLevels', message });

type Census = { readonly lacks: number; readonly different: number; readonly dealt: number };
const known = new WeakMap<Config, Census>();

/** Of the first levels that the first replica trains on: how many count as held-out ones, and how many are different. */
function censusOf(config: Config): Census {
  const before = known.get(config);
  if (before) return before;
  const census = takeCensus(config, dealIn(config)!);
  known.set(config, census);
  return census;
}

function takeCensus(config: Config, deal: Dealing): Census {
  const world = environments.find(({ id }) => id === config.task.method)!;
  const growth = growthOf(world, (config.task[world.id] ?? {}) as AnyValues);
  const seed = Number(config.run['seed']);
  const levels = Number(config.task['levels']);
  const dealt = levels === 0 ? LOOKED_AT : Math.min(levels, LOOKED_AT);
  const context = trainingContext({ P: dealt, G: 1, levels, ...growth, deal }, seed, 0);
  const seeds = Array.from({ length: dealt }, (_, k) => (levels === 0 ? context.fresh(k) : context.level(k)));
  return {
    lacks: seeds.filter((levelSeed) => deal.isHeldOut(seed, levelSeed)).length,
    different: new Set(seeds.map(deal.name)).size,
    dealt,
  };
}
