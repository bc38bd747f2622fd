// What playedKl.wgsl is bound to where every step of a batch is a row. Linked after everyStep.wgsl.
//
// out : [S, B·T, n], logits first     length : [S, B]

struct Dims {
  B : u32, T : u32, actions : u32, n : u32, section : u32, floatSection : u32, probsAt : u32, inverse : f32,
}

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       out    : array<f32>;
@group(0) @binding(2) var<storage, read>       length : array<u32>;

fn isReal(at : Place) -> bool { return at.step % dims.T < length[at.row]; }
