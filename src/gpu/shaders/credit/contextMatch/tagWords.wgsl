// Words of a step: its task and its tag; a refused step has none.
//
// taskIndex : [S, B]     tag, invalid : [S, B, T]

struct Dims { B : u32, T : u32, block : u32 }

@group(0) @binding(0) var<uniform>       dims      : Dims;
@group(0) @binding(4) var<storage, read> taskIndex : array<u32>;
@group(0) @binding(5) var<storage, read> tag       : array<f32>;
@group(0) @binding(6) var<storage, read> invalid   : array<f32>;

fn wordsOf(row : u32, t : u32) -> vec4u {
  let k = row * dims.T + t;
  return vec4u(taskIndex[row], select(u32(tag[k]), 0u, invalid[k] == 1.0), 0u, 0u);
}
