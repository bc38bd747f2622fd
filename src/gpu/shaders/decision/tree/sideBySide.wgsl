// Kernels side by side: joined.ts links this behind their texts, Dims of all of them, LANES of a workgroup and `choose`, which calls
// the one that workgroup x is of.
@group(0) @binding(0) var<uniform> dims : Dims;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  choose(group.x, group.z, local);
}
