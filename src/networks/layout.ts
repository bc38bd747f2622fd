/** One tensor inside the flat parameter vector. `offset` counts floats; every tensor starts at a multiple of 4. */
export type Tensor = {
  readonly name: string;
  readonly layer: number;
  readonly kind: 'weight' | 'bias';
  readonly rows: number;
  readonly cols: number;
  readonly offset: number;
};

export type Layout = {
  readonly tensors: readonly Tensor[];
  /** floats of one replica's parameter vector, padding included */
  readonly size: number;
  /** parameters without padding */
  readonly parameters: number;
};

type Laid = Omit<Tensor, 'offset'>;

/** Weight [rows, cols] and bias of a layer by their names; without the second name there is no bias. */
export const product = (layer: number, [weight, bias]: readonly string[], rows: number, cols: number): Laid[] => [
  { name: weight!, layer, kind: 'weight', rows, cols },
  ...(bias ? [{ name: bias, layer, kind: 'bias' as const, rows: 1, cols }] : []),
];

/** Tensors one after the other in the flat vector. Weights are row-major [in, out]; padding floats stay 0. */
export function layTensors(tensors: readonly Laid[]): Layout {
  let [size, parameters] = [0, 0];
  const laid = tensors.map((tensor) => {
    const floats = tensor.rows * tensor.cols;
    const offset = size;
    size += Math.ceil(floats / 4) * 4;
    parameters += floats;
    return { ...tensor, offset };
  });
  return { tensors: laid, size, parameters };
}

/** Values that a network gives besides its logits. */
export function valuesOf(shape: { readonly critic: boolean; readonly values?: 1 | 2 }): 0 | 1 | 2 {
  return shape.critic ? (shape.values ?? 1) : 0;
}
