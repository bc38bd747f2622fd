// What playedKl.wgsl is bound to where steps of a batch are rows. Linked after everyStep.wgsl or listedSteps.wgsl.
//
// out : [S, B·T, n], logits first

struct Dims {
  B : u32, T : u32, actions : u32, n : u32, section : u32, floatSection : u32, probsAt : u32, inverse : f32,
}

@group(0) @binding(0) var<uniform>       dims : Dims;
@group(0) @binding(1) var<storage, read> out  : array<f32>;
