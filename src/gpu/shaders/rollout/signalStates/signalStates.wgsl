// What the world tells of every state of a batch that was played, beside its reward; linked after random.wgsl, an
// environment's step.wgsl, its signal functions and its wrappers, whose words stand before its own. One invocation per state; those after the last of a row are left alone.
//
//   tellState(levelAt, tableAt, stateAt, potential) -> Told     novelKey(levelAt, stateAt) -> vec2u
//
// levels : packed levels; from assignAt [rows, 4] = level offset, task, episode seed, level seed
// played : [rows, T+1, words]     action : [rows, T]     length : [rows]
// tables : [rows] word at which the table of the level begins, then the tables
// state : [rows, T+1, words] scratch, in which each step is taken once more for its flags
// told : [rows, T+1, 8] see contract/signalSteps.ts

struct Dims { rows : u32, T : u32, words : u32, before : u32, assignAt : u32, potential : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       levels : array<u32>;
@group(0) @binding(2) var<storage, read>       played : array<u32>;
@group(0) @binding(3) var<storage, read>       action : array<u32>;
@group(0) @binding(4) var<storage, read>       length : array<u32>;
@group(0) @binding(5) var<storage, read>       tables : array<u32>;
@group(0) @binding(6) var<storage, read_write> state  : array<u32>;
@group(0) @binding(7) var<storage, read_write> told   : array<u32>;

// functions of the world that nobody calls here write into these
var<private> obs : array<u32, 4>;
var<private> result : array<u32, 4>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * (dims.T + 1u)) { return; }
  let row = id / (dims.T + 1u);
  let t = id - row * (dims.T + 1u);
  if (t > length[row]) { return; }
  let at = id * dims.words;
  for (var w = 0u; w < dims.words; w++) { state[at + w] = played[at + w]; }
  let world = at + dims.before;
  let levelAt = levels[dims.assignAt + 4u * row];
  let tableAt = tables[row];
  let said = tellState(levelAt, tableAt, world, dims.potential);
  let key = novelKey(levelAt, world);
  let to = 8u * id;
  told[to] = said.reached;
  told[to + 1u] = bitcast<u32>(said.completion);
  told[to + 2u] = bitcast<u32>(said.phi);
  told[to + 3u] = bitcast<u32>(said.cost);
  told[to + 4u] = said.lost;
  told[to + 5u] = key.x;
  told[to + 6u] = key.y;
  var flags = 0u;
  if (t < length[row]) {
    flags = worldStep(levelAt, at, action[row * dims.T + t], levels[dims.assignAt + 4u * row + 2u]).flags;
  }
  told[to + 7u] = (tables[tableAt] << 24u) | (flags & 0xffffffu);
}
