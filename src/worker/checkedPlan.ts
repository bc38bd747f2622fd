import { prepareTask } from '../config/level.ts';
import type { TrainState } from '../contract/state.ts';
import { parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { fail, type Result } from '../core/problem.ts';
import { unfitPart } from '../engine/fits.ts';
import { makePlan, type Plan } from '../engine/plan.ts';

/**
 * The plan of a config from outside. The page has asked the same rules, but whoever sends a config to a worker, nothing is
 * allocated for what they refuse. They load while the task is prepared.
 * @param from the state that it is to continue from, which has to be one of this run
 */
export async function checkedPlan(config: Config, from?: TrainState): Promise<Result<Plan>> {
  const checked = parseConfig(config);
  if (!checked.ok) return checked;
  const [{ refusalOf }] = await Promise.all([import('../config/rules.ts'), prepareTask(checked.value)]);
  const plan = makePlan(checked.value);
  const refusal = plan.ok ? refusalOf(checked.value) : null;
  if (refusal) return fail(refusal);
  const unfit = plan.ok && from ? unfitPart(plan.value, from) : null;
  if (unfit === null) return plan;
  return fail({ kind: 'runRefused', why: `The part “${unfit}” of its state is not one of this experiment.` });
}
