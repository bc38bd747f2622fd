// Σ x over the SUMMED invocations of a workgroup, in an order of its own: ROOT of them, whose square is SUMMED, add up as many, then
// each adds up those. All of them have to call it, once.

var<workgroup> summed : array<vec4f, SUMMED>;

fn sumOf(local : u32, x : vec4f) -> vec4f {
  summed[local] = x;
  workgroupBarrier();
  if (local < ROOT) {
    var sum = x;
    for (var k = local + ROOT; k < SUMMED; k += ROOT) { sum += summed[k]; }
    summed[local] = sum;
  }
  workgroupBarrier();
  var sum = summed[0];
  for (var k = 1u; k < ROOT; k++) { sum += summed[k]; }
  return sum;
}
