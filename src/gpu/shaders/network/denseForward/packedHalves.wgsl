// The same bytes as halves.wgsl, two halves in a word, for every device: slower to take apart, and a check of the other.
alias Four = vec2u;
@group(0) @binding(5) var<storage, read_write> Yh : array<Four>;
fn widened(x : Four) -> vec4f { return vec4f(unpack2x16float(x.x), unpack2x16float(x.y)); }
fn narrowed(x : vec4f) -> Four { return vec2u(pack2x16float(x.xy), pack2x16float(x.zw)); }
fn alsoStore(at : u32, h : vec4f) { Yh[at] = narrowed(h); }
