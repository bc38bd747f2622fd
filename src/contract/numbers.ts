/** Kinds of numbers that arrays of a run are made of. */
export const ARRAYS = {
  f32: Float32Array,
  f64: Float64Array,
  u32: Uint32Array,
  i32: Int32Array,
  u8: Uint8Array,
} as const;

export type NumberType = keyof typeof ARRAYS;
type Arrays = { f32: Float32Array; f64: Float64Array; u32: Uint32Array; i32: Int32Array; u8: Uint8Array };
export type ArrayOf<K extends NumberType> = Arrays[K];
export type NumberArray = ArrayOf<NumberType>;

/** n zeros. */
export function zeros<K extends NumberType>(type: K, n: number): ArrayOf<K> {
  return new ARRAYS[type](n) as NumberArray as ArrayOf<K>; // the record maps each name to its own class
}

/** Bytes of one number. */
export const bytesOf = (type: NumberType): number => ARRAYS[type].BYTES_PER_ELEMENT;
