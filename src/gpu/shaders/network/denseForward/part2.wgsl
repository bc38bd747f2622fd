// Two columns; as many more as FULL says come before them. The first `own` are not written.
const PART = 2u;
alias Part = vec2f;
fn partAt(at : u32) -> Part { return vec2f(theta[at], theta[at + 1u]); }
fn putPart(at : u32, own : u32, z : Part) {
  if (own == 0u) { store(at, z.x); }
  store(at + 1u, z.y);
}
