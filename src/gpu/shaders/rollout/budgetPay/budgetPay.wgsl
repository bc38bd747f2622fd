// What a success of a row is worth under its budget b: table[b] where it took at most b steps n, else table[n] − late·(n − b),
// with `clamp_` at least 0; 0 for a failure. `kept`: table[b]. One invocation per row.
//
// budget : [rows], whole numbers     ending : [rows, 4], the first 1 on success     table : [L + 1], for 0 to L steps

struct Dims { rows : u32, L : u32, late : f32, clamp_ : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       budget : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read>       ending : array<u32>;
@group(0) @binding(4) var<storage, read>       table  : array<f32>;
@group(0) @binding(5) var<storage, read_write> kept   : array<f32>;
@group(0) @binding(6) var<storage, read_write> paid   : array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let row = group.x * 64u + local;
  if (row >= dims.rows) { return; }
  let b = min(u32(budget[row]), dims.L);
  let n = min(length[row], dims.L);
  kept[row] = table[b];
  var worth = table[b];
  if (n > b) {
    worth = table[n] - dims.late * f32(n - b);
    if (dims.clamp_ == 1u) { worth = max(0.0, worth); }
  }
  paid[row] = select(0.0, worth, ending[4u * row] == 1u);
}
