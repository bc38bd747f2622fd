// Words of a step: its set in a match, and a number of its own where its action is `first` or a later one, which no other
// step shares.
//
// a, action : [S, B, T]

struct Dims { B : u32, T : u32, block : u32, first : u32 }

@group(0) @binding(0) var<uniform>       dims   : Dims;
@group(0) @binding(4) var<storage, read> a      : array<u32>;
@group(0) @binding(5) var<storage, read> action : array<u32>;

fn wordsOf(row : u32, t : u32) -> vec4u {
  let k = row * dims.T + t;
  return vec4u(a[k], select(0u, k + 1u, action[k] >= dims.first), 0u, 0u);
}
