// Place of an invocation where each has one row of a chunk. Linked into kernels that have dims (B, T, R, n) and
// rows : [S, 4 + 2R] = rows, tokens, queries, 0, end of each row, step i·T + t of each.
struct Place { s : u32, row : u32, step : u32, z : u32 }

fn placeOf(group : vec3u, local : u32) -> Place {
  let r = group.x * 64u + local;
  let s = group.z;
  let start = s * (4u + 2u * dims.R);
  if (r >= rows[start]) { return Place(s, 0u, NONE, 0u); }
  let step = s * dims.B * dims.T + rows[start + 4u + dims.R + r];
  return Place(s, step / dims.T, step, (s * dims.R + r) * dims.n);
}
