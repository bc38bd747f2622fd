/** A linear layer Y = X·W + b as data: where W [inputs, out] and b [out] begin in the parameters; biasAt −1: no b. */
export type Linear = {
  readonly inputs: number;
  readonly out: number;
  readonly weightAt: number;
  readonly biasAt: number;
};

/** Made in one place, so that all layers have one form and the loops that read them stay fast. */
export const linear = (inputs: number, out: number, weightAt: number, biasAt = -1): Linear => ({
  inputs,
  out,
  weightAt,
  biasAt,
});

/** The parameters of one replica among those of all: theta[from …]. One object is pointed at many. */
export type Weights = { theta: Float32Array; from: number };

/** Observations as bits: row r reads `words` words from bits[at[r]] on. One object serves many chunks. */
export type Observed = { bits: Uint32Array; readonly at: Int32Array; readonly words: number };
