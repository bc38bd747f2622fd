// Place of an invocation where each has one step of the batch, real or not. Linked into kernels that have dims (B, T, n).
/// Where the outputs of all steps have those of this one.
var<private> whole : u32;

struct Place { s : u32, row : u32, step : u32, z : u32 }

fn placeOf(group : vec3u, local : u32) -> Place {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let step = group.z * dims.B * dims.T + id;
  if (id >= dims.B * dims.T) { return Place(group.z, 0u, NONE, 0u); }
  whole = step * dims.n;
  return Place(group.z, step / dims.T, step, whole);
}
