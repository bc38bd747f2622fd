// ψ[t] = Q_t(s, a) − V_t(s) of every step of a batch, from the values of all states: see induction.wgsl. 0 on padding, in rows
// without a table, and where the table has no such state or the action is none. One invocation per step. Linked after levelTable.wgsl.
//
// played : [rows, T + 1, words]     action, y : [rows, T]

struct Dims { rows : u32, T : u32, actions : u32, words : u32, gamma : f32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       tables : array<u32>;
@group(0) @binding(2) var<storage, read>       values : array<f32>;
@group(0) @binding(3) var<storage, read>       played : array<u32>;
@group(0) @binding(4) var<storage, read>       action : array<u32>;
@group(0) @binding(5) var<storage, read>       length : array<u32>;
@group(0) @binding(6) var<storage, read_write> y      : array<f32>;

/// −1, 0 or 1: where state s of a table comes before the one that was played, is it, or comes after it. Clocks do not count.
fn compared(table : Table, s : u32, at : u32) -> i32 {
  for (var w = 0u; w < dims.words - 1u; w++) {
    let known = tables[table.states + s * (dims.words - 1u) + w];
    if (known != played[at + w]) { return select(1, -1, known < played[at + w]); }
  }
  return 0;
}

/// Which state of the table was played; OVER: none.
fn stateOf(table : Table, at : u32) -> u32 {
  var low = 0u;
  var high = table.n;
  while (low < high) {
    let middle = (low + high) / 2u;
    let s = tables[table.order + middle];
    let side = compared(table, s, at);
    if (side == 0) { return s; }
    if (side < 0) { low = middle + 1u; } else { high = middle; }
  }
  return OVER;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let id = (group.x + group.y * 65535u) * 64u + local;
  if (id >= dims.rows * dims.T) { return; }
  y[id] = 0.0;
  let row = id / dims.T;
  let t = id - row * dims.T;
  let place = tables[row];
  if (t >= length[row] || place == NO_TABLE || action[id] >= dims.actions) { return; }
  let table = tableAt(tables[place]);
  let s = stateOf(table, (row * (dims.T + 1u) + t) * dims.words);
  if (s == OVER) { return; }
  // an episode may begin with steps taken
  let clock = (played[(row * (dims.T + 1u) + 1u) * dims.words - 1u] & 0xffffu) + t;
  let here = tables[place + 2u] + clock * table.n;
  y[id] = pairValue(table, s * dims.actions + action[id], clock, here + table.n) - values[here + s];
}
