/** Numbers of one replica in the uniform `live`: 1 while only the critic learns, entropy and KL coefficient, form of the KL term. */
export type LiveNumbers = readonly [isWarmingUp: number, entropyCoef: number, klCoef: number, klForm: number];

/** Replicas that the uniform has room for; no run has more seeds. */
export const LIVE_REPLICAS = 64;
export const LIVE_WORDS = 4 * LIVE_REPLICAS;

/** The same numbers for every replica. */
export function liveOfAll(one: LiveNumbers): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: LIVE_WORDS }, (_, k) => one[k % 4]!);
}
