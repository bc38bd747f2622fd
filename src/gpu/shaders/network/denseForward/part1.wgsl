// One column; as many more as FULL says come before it.
const PART = 1u;
alias Part = f32;
fn partAt(at : u32) -> Part { return theta[at]; }
fn putPart(at : u32, own : u32, z : Part) {
  store(at, z);
}
