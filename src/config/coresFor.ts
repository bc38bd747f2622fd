/** Products of a network that pay for one more core: what it costs to call it, and to add up what it did. */
const PER_CORE = 2_000_000;
/** What a step costs besides its products: the world, the draws, the loss. */
const BESIDE = 2_000;
/** Passes over the parameters for a step: forward, or forward and back to weights and activations. */
export const PLAYING = 1;
export const LEARNING = 3;

/** What counts of a plan: parameters of the network, and the steps of a batch. */
type Layouted = { readonly layout: { readonly size: number } };
type Sized = Layouted & { readonly B: number; readonly T: number; readonly minibatches: number };

/** Products of so many steps; counted, not timed, so that a run takes the same way every time. */
export const workOf = ({ layout }: Layouted, steps: number, passes: number): number =>
  steps * (layout.size * passes + BESIDE);

/** Cores of `most` that are worth calling for this work; `least`: products that pay for one. */
export const coresFor = (work: number, most: number, least: number = PER_CORE): number =>
  Math.max(1, Math.min(most, Math.floor(work / least)));

/** Cores of `most` that are worth having for a run: for whichever of its jobs is the largest. */
export function coresOfRun(plan: Sized, most: number, least?: number): number {
  const { B, T, minibatches } = plan;
  const learning = workOf(plan, (B * T) / minibatches, LEARNING);
  return coresFor(Math.max(workOf(plan, B * T, PLAYING), learning), most, least);
}
