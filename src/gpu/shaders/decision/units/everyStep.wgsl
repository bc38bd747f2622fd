// Place of an invocation where each has one step of the batch, real or not. Linked into kernels that have dims (B, T, n).
struct Place { s : u32, row : u32, step : u32, z : u32 }

fn placeOf(group : vec3u, local : u32) -> Place {
  let id = (group.x + group.y * 65535u) * 64u + local;
  let step = group.z * dims.B * dims.T + id;
  if (id >= dims.B * dims.T) { return Place(group.z, 0u, NONE, 0u); }
  return Place(group.z, step / dims.T, step, step * dims.n);
}
