import { eventsOf, withEvent, withEvents, type LiveEvent } from '../config/events.ts';
import { forkConfig } from '../config/fork.ts';
import { parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { makePlan } from '../engine/plan.ts';
import type { Problem } from '../core/problem.ts';
import { gpuProblem } from '../engine/gpu/errors.ts';
import { Run, type Checkpoint } from '../engine/run.ts';
import { checkedPlan } from './checkedPlan.ts';
import type { Devices } from './devices.ts';
import type { StoryAnswer } from './protocol.ts';

type No = { readonly ok: false; readonly why: string };

const no = (why: string): No => ({ ok: false, why });
/** Sentences of problems come when the first one is told. */
const refused = async (problem: Problem): Promise<No> =>
  no((await import('../config/problems.ts')).problemLine(problem));
export const NO_RUN = no('There is no run to continue.');
export const notKept = (update: number): No => no(`No checkpoint of update ${update} is kept any more.`);

/** A live setting has another value from the next update on, or the reference is reset before it. */
export async function changeRun(run: Run, path: string, value: LiveEvent['value']): Promise<StoryAnswer> {
  const { update, forkedAt } = run;
  if (update >= run.updates) return NO_RUN;
  if (update < forkedAt) return no(`This run repeats its parent until update ${forkedAt}; change it after that.`);
  const checked = parseConfig(withEvent(run.config, { update, path, value }));
  if (!checked.ok) return refused(checked.problem);
  const plan = makePlan(checked.value);
  if (!plan.ok) return refused(plan.problem);
  run.setEvents(checked.value);
  return { ok: true, config: checked.value, update };
}

/** A run that takes the place of another one, and in words what is different in it. */
type Successor = { readonly ok: true; readonly run: Run; readonly words: string | null } | No;

/** The run at one of its checkpoints. Changes that were made in what is dropped go with it; those still to come stay. */
export function rewoundRun(run: Run, from: Checkpoint, devices: Devices): Promise<Successor> {
  const { update } = from.state;
  const stays = eventsOf(run.config).filter((e) => e.update < update || e.update > run.update);
  return successor(run, from, devices, { config: withEvents(run.config, stays), words: null });
}

/** The run that has `child`'s settings from the checkpoint on and keeps the curves until there; `told`: what differs. */
export function forkRun(run: Run, from: Checkpoint, devices: Devices, child: Config, told: string): Promise<Successor> {
  const config = forkConfig(run.config, from.state.update, child);
  return successor(run, from, devices, { config, words: `fork: ${told}` });
}

/** The run itself is not touched. */
async function successor(
  run: Run,
  from: Checkpoint,
  devices: Devices,
  { config, words }: { readonly config: Config; readonly words: string | null },
): Promise<Successor> {
  const plan = await checkedPlan(config);
  if (!plan.ok) return refused(plan.problem);
  devices.prefer(run.backend.kind);
  const made = await devices.make(plan.value);
  if (!made.ok) return refused(made.problem);
  const { update } = from.state;
  try {
    const next = await Run.create(plan.value, made.value, from, run.series.before(update));
    run.stretches.goOnIn(next.stretches, update);
    return { ok: true, run: next, words };
  } catch (error) {
    const problem = gpuProblem(error);
    if (!problem) throw error;
    return refused(problem);
  }
}
