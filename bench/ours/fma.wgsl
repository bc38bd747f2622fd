// Arithmetic without memory: sixteen independent chains of x ← x·a + b, eight `vec4` steps a turn of the loop for each of
// four vectors. 4 · 4 · 8 multiply-adds a turn and invocation.
//
// y : [invocations], so that nothing is optimized away

struct Dims { turns : u32, a : f32, b : f32 }

@group(0) @binding(0) var<uniform>             dims : Dims;
@group(0) @binding(1) var<storage, read_write> y    : array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id : vec3u) {
  let a = vec4f(dims.a);
  let b = vec4f(dims.b);
  var p = vec4f(0.0, 1.0, 2.0, 3.0);
  var q = p + 4.0;
  var r = p + 8.0;
  var s = p + 12.0;
  for (var k = 0u; k < dims.turns; k++) {
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
    p = fma(p, a, b); q = fma(q, a, b); r = fma(r, a, b); s = fma(s, a, b);
  }
  y[id.x] = dot(p + q + r + s, vec4f(1.0));
}
