// What policyMix.wgsl is bound to where a step is one unit; linked after actions.wgsl.

struct Dims { B : u32, lanes : u32, pieces : u32, T : u32, actions : u32, section : u32, floatSection : u32, temperature : f32 }

@group(0) @binding(0) var<uniform>             dims    : Dims;
