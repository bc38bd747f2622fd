import type { Config } from '../config/slots.ts';
import { chosenOf, runsOnGpu, type Chosen } from '../contract/module.ts';
import { revisions } from '../slots/registry.ts';
import type { Revised, Revision } from '../slots/revise/types.ts';

/** What is done to the credit between the advantage slot and the objective, in the order in which it is done. */
export type Revisions = readonly Chosen<Revision>[];

export const revisionsOf = ({ revise }: Pick<Config, 'revise'>): Revisions => chosenOf(revisions, revise);

/** Revises A [B, T] in place. */
export function reviseCredit(chosen: Revisions, A: Float32Array, seen: Revised): void {
  for (const { module, params } of chosen) module.run(A, seen, params as never);
}

/** True if one of them has no GPU form: a run on the GPU then reads the batch back and computes all of them on the CPU. */
export const revisesOnCpu = (chosen: Revisions): boolean =>
  chosen.some(({ module, params }) => !runsOnGpu(module, params));
