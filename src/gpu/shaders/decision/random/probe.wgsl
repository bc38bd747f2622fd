// Calls every function of random.wgsl once per invocation, for its test.
//
// words : [count, 4]     drawn : [count, 4] = block, random, below     real : [count] uniform
struct Dims { count : u32 }
@group(0) @binding(0) var<uniform> dims : Dims;
@group(0) @binding(1) var<storage, read> words : array<u32>;
@group(0) @binding(2) var<storage, read_write> drawn : array<u32>;
@group(0) @binding(3) var<storage, read_write> real : array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let k = id.x;
  if (k >= dims.count) { return; }
  let w = vec4u(words[4u * k], words[4u * k + 1u], words[4u * k + 2u], words[4u * k + 3u]);
  let block = threefry(w.xy, w.zw);
  drawn[4u * k] = block.x;
  drawn[4u * k + 1u] = block.y;
  drawn[4u * k + 2u] = random(w.x, w.y, w.z, w.w, k);
  drawn[4u * k + 3u] = below(w.x, 1u + (w.y & 0xfffeu));
  real[k] = uniform01(w.z);
}
