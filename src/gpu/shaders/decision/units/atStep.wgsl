// Place of an invocation where each has one trajectory at step t; those that have ended have none. Linked into kernels that
// have `length` : [S, B] and dims (B, T, t, n, maxRows).
struct Place { s : u32, row : u32, step : u32, z : u32 }

fn placeOf(group : vec3u, local : u32) -> Place {
  let i = group.x * 64u + local;
  let row = group.z * dims.B + i;
  var step = NONE;
  if (i < dims.B) { step = select(NONE, row * dims.T + dims.t, length[row] == 0u); }
  return Place(group.z, row, step, (group.z * dims.maxRows + i) * dims.n);
}
