// Four numbers stored as half floats, for devices with shader-f16. Sums stay in f32; Yh is what the next layer reads.
enable f16;
alias Four = vec4h;
@group(0) @binding(5) var<storage, read_write> Yh : array<Four>;
fn widened(x : Four) -> vec4f { return vec4f(x); }
fn narrowed(x : vec4f) -> Four { return vec4h(x); }
fn alsoStore(at : u32, h : vec4f) { Yh[at] = narrowed(h); }
