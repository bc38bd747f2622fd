import type { LayerShape } from './shape.ts';

/** What one gate keeps for the backward pass: sub-layer output, σ values, tanh values, r ⊙ x. */
export type GateBuffers = {
  readonly y: GPUBuffer;
  readonly a: GPUBuffer;
  readonly h: GPUBuffer;
  readonly rx: GPUBuffer;
};

/** Arrays of a gate for this many rows; one that it does not use is small. */
export function gateBuffers(make: (floats: number) => GPUBuffer, shape: LayerShape, rows: number): GateBuffers {
  const { gate, width: D } = shape;
  return {
    y: make(rows * D),
    a: gate === 'none' ? make(4) : make(rows * (gate === 'gru' ? 2 * D : D)),
    h: gate === 'gru' || gate === 'sigtanh' ? make(rows * D) : make(4),
    rx: gate === 'gru' ? make(rows * D) : make(4),
  };
}
