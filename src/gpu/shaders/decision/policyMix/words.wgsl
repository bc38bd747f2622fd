// What policyMix.wgsl is bound to where a step may have several units; linked after command.wgsl.

struct Dims {
  B : u32, lanes : u32, pieces : u32, T : u32, J : u32, masked : u32, decisions : u32, actions : u32, section : u32, floatSection : u32,
  temperature : f32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(6) var<storage, read>       grammar : array<u32>;
