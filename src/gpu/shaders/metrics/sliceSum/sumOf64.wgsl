// Σ x over the 64 invocations of a workgroup, in an order of its own: eight of them add up eight, then each adds up those. All of
// them have to call it, once.

var<workgroup> of64 : array<vec4f, 64>;

fn sumOf64(local : u32, x : vec4f) -> vec4f {
  of64[local] = x;
  workgroupBarrier();
  if (local < 8u) {
    var sum = x;
    for (var k = local + 8u; k < 64u; k += 8u) { sum += of64[k]; }
    of64[local] = sum;
  }
  workgroupBarrier();
  var sum = of64[0];
  for (var k = 1u; k < 8u; k++) { sum += of64[k]; }
  return sum;
}
