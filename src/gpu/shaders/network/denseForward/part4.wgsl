// Four columns; as many more as FULL says come before them. The first `own` are not written.
const PART = 4u;
alias Part = vec4f;
fn partAt(at : u32) -> Part { return vec4f(theta[at], theta[at + 1u], theta[at + 2u], theta[at + 3u]); }
fn putPart(at : u32, own : u32, z : Part) {
  if (own == 0u) { store(at, z.x); }
  if (own <= 1u) { store(at + 1u, z.y); }
  if (own <= 2u) { store(at + 2u, z.z); }
  store(at + 3u, z.w);
}
