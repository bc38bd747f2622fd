// Four numbers stored as floats.
alias Four = vec4f;
fn widened(x : Four) -> vec4f { return x; }
fn alsoStore(at : u32, h : vec4f) {}
