// Words of a step: its state, its action and the key of the next state.
//
// head : [S, B, T], first step with this state in the task group     action : [S, B, T]     key : [S, B, T, 2]
// finalKey : [S, B, 2]

struct Dims { B : u32, T : u32, block : u32 }

@group(0) @binding(0) var<uniform>       dims     : Dims;
@group(0) @binding(4) var<storage, read> head     : array<u32>;
@group(0) @binding(5) var<storage, read> action   : array<u32>;
@group(0) @binding(6) var<storage, read> key      : array<u32>;
@group(0) @binding(7) var<storage, read> finalKey : array<u32>;

fn wordsOf(row : u32, t : u32) -> vec4u {
  let k = row * dims.T + t;
  if (t + 1u < length[row]) { return vec4u(head[k], action[k], key[2u * k + 2u], key[2u * k + 3u]); }
  return vec4u(head[k], action[k], finalKey[2u * row], finalKey[2u * row + 1u]);
}
