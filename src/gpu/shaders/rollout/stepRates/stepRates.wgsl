// Rates of one optimizer step that every replica takes or not: a replica without pairs, or with the norm −1, gets the
// norm −1 and stays; the others count the step and get the rates of their own count. One invocation per replica.
//
// record : [S, 8], the first number is how many pairs     table : [most, 3] = factor on the learning rate, c1, c2 of step
// 1, 2, …; the last one holds on     rate : learning rate, …     norms : [S, 2]     steps : [S]     rates : [S, 4] = lr, c1, c2, 0

struct Dims { S : u32, most : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       record : array<f32>;
@group(0) @binding(2) var<storage, read>       table  : array<f32>;
@group(0) @binding(3) var<storage, read>       rate   : array<f32>;
@group(0) @binding(4) var<storage, read_write> norms  : array<f32>;
@group(0) @binding(5) var<storage, read_write> steps  : array<u32>;
@group(0) @binding(6) var<storage, read_write> rates  : array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let s = id.x;
  if (s >= dims.S) { return; }
  rates[s] = vec4f();
  if (record[8u * s] == 0.0 || norms[2u * s] < 0.0) {
    norms[2u * s] = -1.0;
    return;
  }
  steps[s]++;
  let n = min(steps[s], dims.most) - 1u;
  rates[s] = vec4f(rate[0] * table[3u * n], table[3u * n + 1u], table[3u * n + 2u], 0.0);
}
