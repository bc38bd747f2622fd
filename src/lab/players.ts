import { replicasOf, thetaOf, type TrainState } from '../contract/state.ts';
import { seenBy } from '../engine/past.ts';
import type { Plan } from '../engine/plan.ts';
import { restrictionAfter } from '../engine/restriction.ts';
import { initialState } from '../engine/state.ts';

/** A policy that plays, and what restricts it, where it may not choose from all actions. */
type Player = { readonly theta: Float32Array; readonly restriction: Float32Array | undefined };

/** The policies of a replica that a measurement may let play: that of the start, and the newest, in `state`. */
export function playersOf(plan: Plan, state: TrainState, replica: number): { base: Player; trained: Player } {
  const player = (all: TrainState): Player => {
    const own = replicasOf(all, plan.S, replica, 1);
    return { theta: seenBy(plan, thetaOf(own)), restriction: restrictionAfter(plan, own) };
  };
  return { base: player(initialState(plan)), trained: player(state) };
}
