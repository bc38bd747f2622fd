import type { Told } from '../contract/signals.ts';
import type { Model } from '../core/dp.ts';
import type { Enumeration } from '../envs/enumerate.ts';
import type { Plan } from '../engine/plan.ts';
import { potentialOf, SignalTables } from '../engine/signalTables.ts';

/** Φ of a dead end, where `tell` has no state to look at any more. */
const LOST = -2;

/**
 * The world of a run as its reward modules pay it: the same states and chances, and r′(s, a) in place of r(s, a). Exact
 * values of it stand beside those of the world.
 * @returns null where r′ is no function of (state, action, next state): a module looks at more of the episode
 */
export function shapedModel(plan: Plan, level: unknown, seen: Enumeration): Model | null {
  const { rewards, env } = plan;
  const potential = potentialOf(plan);
  // milestones are latched, so their potential depends on the way
  if (rewards.length === 0 || !env.signals || potential.of === 'milestone') return null;
  const added = rewards.map(({ module, params }) => module.transition?.(params as never) ?? null);
  if (added.some((of) => of === null)) return null;
  const { model, states } = seen;
  const known = { level, table: new SignalTables(plan).of(level), potential };
  const told: Told = { reached: 0, completion: 0, phi: 0, cost: 0, isLost: false };
  const phi = Float64Array.from({ length: model.states }, (_, s) => {
    env.signals!.tell(known, states, s * env.words, told);
    return told.phi;
  });
  const { actions: A, offset, next, probability, success } = model;
  const reward = model.reward.slice();
  for (let sa = 0; sa < reward.length; sa++) {
    const from = phi[Math.floor(sa / A)]!;
    for (let k = offset[sa]!; k < offset[sa + 1]!; k++) {
      const isOver = next[k]! < 0;
      const to = isOver ? (success[sa]! > 0 ? 0 : LOST) : phi[next[k]!]!;
      for (const of of added) reward[sa]! += probability[k]! * of!(from, to, isOver);
    }
  }
  return { ...model, reward };
}
