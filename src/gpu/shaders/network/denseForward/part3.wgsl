// Three columns; as many more as FULL says come before them. The first `own` are not written.
const PART = 3u;
alias Part = vec3f;
fn partAt(at : u32) -> Part { return vec3f(theta[at], theta[at + 1u], theta[at + 2u]); }
fn putPart(at : u32, own : u32, z : Part) {
  if (own == 0u) { store(at, z.x); }
  if (own <= 1u) { store(at + 1u, z.y); }
  store(at + 2u, z.z);
}
