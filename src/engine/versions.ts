import type { BatchView } from './backend.ts';
import { versionOf } from './behavior.ts';
import type { Plan } from './plan.ts';

/**
 * The versions of the weights that play one batch, oldest first. A version plays a step whether or not an episode lives so
 * long, so that whoever goes on from a stored step, or plays the tasks again, knows which comes next.
 */
export type PlayedVersions = {
  /** [layout.size] each, rounded as they played */
  readonly weights: readonly Float32Array[];
  /** [B, T] which of them plays a step */
  readonly of: Uint8Array;
};

/**
 * Which versions play the batch of an update of replica s, oldest first, and which of them each step [B, T]; null where
 * one always plays all. A bound of 128 updates is the largest: `of` never overflows.
 */
export function versionsOf(
  plan: Pick<Plan, 'behavior' | 'seeds' | 'B' | 'T'>,
  { update, taskIndex }: { readonly update: number; readonly taskIndex: Uint32Array },
  s: number,
): { readonly numbers: readonly number[]; readonly of: Uint8Array } | null {
  const { seeds, B, T } = plan;
  if (!plan.behavior.several) return null;
  const versions = new Uint32Array(B * T);
  for (let k = 0; k < versions.length; k++)
    versions[k] = versionOf(plan, seeds[s]!, update, taskIndex[s * B + Math.floor(k / T)]!, k % T);
  const numbers = [...new Set(versions)].sort((a, b) => a - b);
  const place = new Map(numbers.map((version, k) => [version, k]));
  return { numbers, of: Uint8Array.from(versions, (version) => place.get(version)!) };
}

/** The weights that play step t of trajectory i of a shown batch. */
export function weightsAt({ theta, versions, batch }: Played, i: number, t: number): Float32Array {
  return versions ? versions.weights[versions.of[i * batch.T + t]!]! : theta;
}

type Played = Pick<BatchView, 'theta' | 'versions'> & { readonly batch: { readonly T: number } };

/** Steps of trajectory i by the version that plays them: first step, and its place among the weights. */
export function phasesOf(
  { versions, batch }: Pick<Played, 'versions' | 'batch'>,
  i: number,
): readonly { readonly from: number; readonly version: number }[] {
  if (!versions) return [{ from: 0, version: 0 }];
  const { T } = batch;
  const phases: { from: number; version: number }[] = [];
  for (let t = 0; t < T; t++) {
    const version = versions.of[i * T + t]!;
    if (version !== phases.at(-1)?.version) phases.push({ from: t, version });
  }
  return phases;
}
