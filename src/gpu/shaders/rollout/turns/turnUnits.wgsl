// Adds the units that were played in the present turn to those of their version. One workgroup per replica: invocations
// take every 64th trajectory. Linked after oneUnit.wgsl or wordUnits.wgsl, which say how many units a step has.
//
// turns : [S, B, 2] first step of a trajectory's turn, and the step after its last; then [S] place of the version
// length : [S, B], 0: has not ended     played : [S, versions]

struct Dims { S : u32, B : u32, T : u32, versions : u32, J : u32, masked : u32, decisions : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       turns  : array<u32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;
@group(0) @binding(3) var<storage, read_write> played : array<u32>;

var<workgroup> counts : array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var count = 0u;
  for (var i = local; i < dims.B; i += 64u) {
    let row = s * dims.B + i;
    let long = select(length[row], dims.T, length[row] == 0u);
    for (var t = turns[2u * row]; t < min(turns[2u * row + 1u], long); t++) { count += unitsOf(row * dims.T + t); }
  }
  counts[local] = count;
  workgroupBarrier();
  if (local != 0u) { return; }
  for (var k = 1u; k < 64u; k++) { count += counts[k]; }
  played[s * dims.versions + turns[2u * dims.S * dims.B + s]] += count;
}
