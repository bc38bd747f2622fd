import { expect, test } from 'vitest';
import { columnsOfRun, updateColumnsOfRun } from '../config/runColumns.ts';
import { prepareTask } from '../config/level.ts';
import { factsOf, modulesOf } from '../config/runModules.ts';
import { presetConfig, presets } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import { updateColumns } from '../contract/updateColumns.ts';
import { must } from '../core/problem.ts';
import { makePlan } from './plan.ts';

const WRITES = { 'policy.method': 'transformer', 'task.grid.maxSteps': 8 };
/** One config for every fact, and what no preset has. */
const others: readonly Readonly<Record<string, unknown>>[] = [
  { 'objective.method': 'clipCov' },
  { 'objective.method': 'nlpo', 'objective.nlpo.inTraining': false },
  { 'rollout.staleness': 3 },
  { 'rollout.rolloutPrecision': 'int8', 'rollout.unifiedPrecision': true },
  { 'reward.pbrs.on': true, 'reward.normalize': true, 'objective.klIn': 'reward', 'objective.klCoef': 0.1 },
  { 'rollout.method': 'arpo', 'advantage.method': 'arpo' },
  { ...WRITES, 'advantage.method': 'empg' },
];
const configs = [...presets.map(presetConfig), ...others.map((changes) => configWith(changes))];

test('what is told of a run before it is compiled has the columns of its plan', async () => {
  const seen = new Set<string>();
  for (const config of configs) {
    await prepareTask(config);
    const plan = must(makePlan(config));
    const told = modulesOf(config, plan.policy)!;
    expect([...columnsOfRun(told)]).toEqual([...columnsOfRun(plan)]);
    expect([...updateColumnsOfRun(told)]).toEqual([...updateColumnsOfRun(plan)]);
    for (const fact of factsOf(plan)) seen.add(fact);
  }
  // every fact holds somewhere, or the comparison says nothing about its columns
  const facts = Object.values(updateColumns).flatMap((column) => ('when' in column ? [column.when] : []));
  expect([...seen].sort()).toEqual([...new Set(facts)].sort());
});
