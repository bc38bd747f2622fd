// Words of a step: its task and how many steps came before it.
//
// taskIndex : [S, B]

struct Dims { B : u32, T : u32, block : u32 }

@group(0) @binding(0) var<uniform>       dims      : Dims;
@group(0) @binding(4) var<storage, read> taskIndex : array<u32>;

fn wordsOf(row : u32, t : u32) -> vec4u { return vec4u(taskIndex[row], t, 0u, 0u); }
