import { chosenOf } from '../contract/module.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { objectives } from '../slots/methods.ts';
import { rewards, revisions, rollouts } from '../slots/registry.ts';
import { hasScheme } from '../slots/rollout/types.ts';
import { BRANCH_COLUMNS } from '../contract/rows.ts';
import { wrappersOf } from '../slots/wrapper/registry.ts';
import type { Issue } from './rules.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** Modules that look at forks where they may be missing, each with the setting that chooses it. */
function readersOf(config: Config): { readonly path: string; readonly needs: readonly string[] }[] {
  const estimator = estimatorIn(config.advantage);
  const stacked = [
    ...chosenOf(rewards, config.reward).map(({ module }) => ({ path: `reward.${module.id}.on`, module })),
    ...chosenOf(revisions, config.revise).map(({ module }) => ({ path: `revise.${module.id}.on`, module })),
  ];
  return [
    { path: 'advantage.method', needs: estimator?.needs ?? [] },
    ...stacked.map(({ path, module }) => ({ path, needs: module.needs ?? [] })),
  ];
}

/** What the rows of a rollout cannot do with the rest of an experiment, or do in vain. */
export function rolloutIssues(config: Config): Issue[] {
  const path = 'rollout.method';
  const rollout = rollouts.find((r) => r.id === config.rollout.method)!;
  const found: Issue[] = [];
  const plain = { label: `use ${rollouts[0]!.title}`, set: [{ path, value: rollouts[0]!.id }] };
  const forking = rollouts.find((r) => r.forks);
  const isBranch = (name: string): boolean => (BRANCH_COLUMNS as readonly string[]).includes(name);
  for (const reader of rollout.forks ? [] : readersOf(config).filter(({ needs }) => needs.some(isBranch)))
    found.push({
      ...{ severity: 'error', path: reader.path, message: 'needs episodes that were forked from others' },
      ...(forking ? { repair: { label: `use ${forking.title}`, set: [{ path, value: forking.id }] } } : {}),
    });
  const { backend } = config.run;
  if (rollout.memory && backend !== 'cpu') {
    const message = 'plays stored episodes again, which has no WebGPU form: it trains on the CPU';
    const repair = { label: 'run on the CPU', set: [{ path: 'run.backend', value: 'cpu' }] };
    found.push({
      severity: backend === 'auto' ? 'hint' : 'error',
      path,
      message,
      ...(backend === 'auto' ? {} : { repair }),
    });
  }
  if (!hasScheme(rollout)) return found;
  const objective = objectives.find((o) => o.id === config.objective.method);
  if (objective?.rows)
    found.push({
      ...{ severity: 'error', path, message: `cannot be combined with ${objective.title}, which plans rows itself` },
      repair: plain,
    });
  if (!rollout.next) return found;
  const onGpu = config.run['backend'] !== 'cpu';
  if (onGpu && rollout.forks && wrappersOf(config.task).some(({ module }) => module.settle !== undefined))
    found.push({
      ...{ severity: 'error', path, message: 'forks episodes, which the GPU cannot do while rewards are delayed' },
      repair: { label: 'run on the CPU', set: [{ path: 'run.backend', value: 'cpu' }] },
    });
  else if (onGpu)
    found.push({
      ...{ severity: 'hint', path },
      message: 'looks at its episodes before it plays more: the GPU waits for the CPU several times per update',
    });
  const G = getValue(config, 'rollout.groupSize') as number;
  if ((rollout.fresh?.(config.rollout[rollout.id] as never, G) ?? G) >= G)
    found.push({ severity: 'hint', path, message: `adds no episodes: all ${G} of a group start fresh` });
  return found;
}
