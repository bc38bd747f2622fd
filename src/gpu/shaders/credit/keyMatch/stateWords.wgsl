// Words of a step: its task and the key of its state.
//
// key : [S, B, T, 2]     taskIndex : [S, B]

// block: the rows of a task lie in one block of this many rows; B where they may lie anywhere.
struct Dims { B : u32, T : u32, block : u32 }

@group(0) @binding(0) var<uniform>       dims      : Dims;
@group(0) @binding(4) var<storage, read> key       : array<u32>;
@group(0) @binding(5) var<storage, read> taskIndex : array<u32>;

fn wordsOf(row : u32, t : u32) -> vec4u {
  let k = 2u * (row * dims.T + t);
  return vec4u(taskIndex[row], key[k], key[k + 1u], 0u);
}
