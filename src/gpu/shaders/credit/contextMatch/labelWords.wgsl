// Words of a step: its task and a number of its own.
//
// taskIndex : [S, B]     label : [S, B, T]

struct Dims { B : u32, T : u32, block : u32 }

@group(0) @binding(0) var<uniform>       dims      : Dims;
@group(0) @binding(4) var<storage, read> taskIndex : array<u32>;
@group(0) @binding(5) var<storage, read> label     : array<f32>;

fn wordsOf(row : u32, t : u32) -> vec4u {
  let x = label[row * dims.T + t];
  // by its bits, of which 0 has two
  return vec4u(taskIndex[row], select(bitcast<u32>(x), 0u, x == 0.0), 0u, 0u);
}
