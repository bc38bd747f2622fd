// Where the rows of a segment branch: 1 in every step of a set from which at least two other sets, or one and the end of a
// row that is marked, are reached as soon from no other set; 0 elsewhere and on padding. A row is a walk over sets, one a
// step. Four passes; integers only, so the outcome depends on no order. In the first three only the first steps of sets
// work, each going round its members; neighbors take the same step of different blocks of rows, as in setStats.
//
//   earliest   the smallest t at which a row is in the set
//   owners     of the sets from which a row came: the one with the smallest t, if it is one only and was there before
//   branch     does the set own two others?
//   spread     what was found for the set of a step
//
// head, next : [S, B, T] as keyMatch makes them     ending : [S, B, 4], the first word is 1 where the end counts
// since, owner : [S, B, T], scratch     y : [S, B, T]

// block: the rows that can share a set lie in one block of this many rows
struct Dims { B : u32, T : u32, block : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       head   : array<u32>;
@group(0) @binding(2) var<storage, read>       next   : array<u32>;
@group(0) @binding(3) var<storage, read>       length : array<u32>;
@group(0) @binding(4) var<storage, read>       ending : array<u32>;
@group(0) @binding(5) var<storage, read_write> since  : array<u32>;
@group(0) @binding(6) var<storage, read_write> owner  : array<u32>;
@group(0) @binding(7) var<storage, read_write> y      : array<f32>;

const NONE = 0xffffffffu;
const SEVERAL = 0xfffffffeu;
const END = 0xfffffffdu;

/// The first step of a set that an invocation has to do with, or none.
fn firstStep(group : vec3u, local : u32) -> u32 {
  let lane = (group.x + group.y * 65535u) * 64u + local;
  let blocks = (dims.B + dims.block - 1u) / dims.block;
  let inBlock = lane / blocks;
  let id = (lane - inBlock * blocks) * dims.block * dims.T + inBlock;
  if (inBlock >= dims.block * dims.T || id >= dims.B * dims.T) { return NONE; }
  return select(NONE, id, head[group.z * dims.B * dims.T + id] == id);
}

@compute @workgroup_size(64)
fn earliest(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = firstStep(group, local);
  if (id == NONE) { return; }
  let start = group.z * dims.B * dims.T;
  var least = id % dims.T;
  for (var at = next[start + id]; at != id; at = next[start + at]) { least = min(least, at % dims.T); }
  since[start + id] = least;
}

@compute @workgroup_size(64)
fn owners(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = firstStep(group, local);
  if (id == NONE) { return; }
  let start = group.z * dims.B * dims.T;
  var found = NONE;
  var least = since[start + id];
  var at = id;
  loop {
    if (at % dims.T > 0u) {
      let source = head[start + at - 1u];
      if (source != NONE && source != id) {
        let then = since[start + source];
        if (then < least) {
          least = then;
          found = source;
        } else if (then == least && found != NONE && found != source) { found = SEVERAL; }
      }
    }
    at = next[start + at];
    if (at == id) { break; }
  }
  owner[start + id] = found;
}

@compute @workgroup_size(64)
fn branch(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = firstStep(group, local);
  if (id == NONE) { return; }
  let start = group.z * dims.B * dims.T;
  var way = NONE;
  var isBranch = 0u;
  var at = id;
  loop {
    let row = group.z * dims.B + at / dims.T;
    var leads = NONE;
    if (at % dims.T + 1u < length[row]) {
      let to = head[start + at + 1u];
      if (to != NONE) { leads = select(NONE, to, owner[start + to] == id); }
    } else if (ending[4u * row] == 1u) { leads = END; }
    if (way == NONE) { way = leads; }
    else if (leads != NONE && leads != way) { isBranch = 1u; }
    at = next[start + at];
    if (at == id) { break; }
  }
  since[start + id] = isBranch;
}

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.B * dims.T) { return; }
  let start = group.z * dims.B * dims.T;
  let first = head[start + id];
  y[start + id] = 0.0;
  if (first != NONE) { y[start + id] = f32(since[start + first]); }
}
