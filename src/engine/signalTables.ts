import { TAGS } from '../contract/tags.ts';
import type { SignalRule } from '../contract/signalSteps.ts';
import { signalNames, type Potential, type SignalName } from '../contract/signals.ts';
import { columnsOfRun } from '../config/runColumns.ts';
import type { Plan } from './plan.ts';

/** The signals that the modules of a run need. */
export function signalsOfPlan(plan: Plan): readonly SignalName[] {
  const present = columnsOfRun(plan);
  return signalNames.filter((name) => present.has(name));
}

/** What the signal `phi` holds: what the first module asks for that shapes with a potential. */
export function potentialOf({ rewards }: Pick<Plan, 'rewards'>): Potential {
  for (const { module, params } of rewards) if (module.potential) return module.potential(params as never);
  return { of: 'distance', gamma: 1 };
}

/** How the signals of a run are made of what its world tells. */
export function signalRuleOf(plan: Plan): SignalRule {
  const { milestone, wastes, effort, isTagged } = plan.env.signals!;
  const own = isTagged ? plan.actions / TAGS.length : 0;
  return { milestone, wastes, effort, own, of: potentialOf(plan).of };
}

/** What the signals of levels are read from, made once for each level that is still in memory. */
export class SignalTables {
  private readonly plan: Plan;
  private readonly known = new WeakMap<object, Uint32Array>();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  of(level: unknown): Uint32Array {
    const { env } = this.plan;
    const found = this.known.get(level as object);
    if (found) return found;
    const made = env.signals?.table(level, potentialOf(this.plan)) ?? null;
    if (!made) throw new Error(TOO_MANY);
    this.known.set(level as object, made);
    return made;
  }
}

/** The sentence where a level has no table. */
export const TOO_MANY =
  'This level has more states than can be looked through for the signals of its reward; make it smaller, or shape the reward in another way.';
