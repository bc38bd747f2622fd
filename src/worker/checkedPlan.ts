import { prepareTask } from '../config/level.ts';
import { parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { fail, type Result } from '../core/problem.ts';
import { makePlan, type Plan } from '../engine/plan.ts';

/**
 * The plan of a config from outside. The page has asked the same rules, but whoever sends a config to a worker, nothing is
 * allocated for what they refuse. They load while the task is prepared.
 */
export async function checkedPlan(config: Config): Promise<Result<Plan>> {
  const checked = parseConfig(config);
  if (!checked.ok) return checked;
  const [{ refusalOf }] = await Promise.all([import('../config/rules.ts'), prepareTask(checked.value)]);
  const plan = makePlan(checked.value);
  const refusal = plan.ok ? refusalOf(checked.value) : null;
  return refusal ? fail(refusal) : plan;
}
