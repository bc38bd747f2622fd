// Outputs of the network, which are there, and where their gradient goes: for coefficients.wgsl, where a step is one row
// and one unit. Linked behind steps.wgsl.
//
// out, dOut : [S, B·T, n], the first rows where they are those of a list     ref : [S, B·T, n] of all

struct Dims {
  S : u32, B : u32, T : u32, actions : u32, n : u32, section : u32, floatSection : u32, marksAt : u32, creditAt : u32,
  inverse : f32, valueCoef : f32, valueClip : f32, valueMode : u32, valueHuber : f32,
  p0 : f32, p1 : f32, p2 : f32, p3 : f32, mostRows : u32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       out     : array<f32>;
@group(0) @binding(2) var<storage, read>       ref_    : array<f32>;
@group(0) @binding(7) var<storage, read_write> dOut    : array<f32>;

const GROUP = 64u;
const SEATS = 64u;

fn readOutputs(group : vec3u, local : u32, at : Place) {}
fn giveBack(group : vec3u, local : u32, at : Place) {}
fn logitAt(z : u32, c : u32) -> f32 { return out[z + c]; }
fn refAt(z : u32, c : u32) -> f32 { return ref_[whole + c]; }
fn setGradient(z : u32, c : u32, g : f32) { dOut[z + c] = g; }
