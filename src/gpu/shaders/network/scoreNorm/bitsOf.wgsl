// What the first layer reads: observation bits, words of 32 features at row·outerStride + t·innerStride.
@group(0) @binding(1) var<storage, read> bits : array<u32>;

fn input(row : u32, t : u32, f : u32) -> f32 {
  let word = bits[row * dims.outerStride + t * dims.innerStride + f / 32u];
  return f32((word >> (f % 32u)) & 1u);
}
