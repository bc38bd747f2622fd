// Statistics of the steps that a list leaves out, see places.wgsl: zeros, every invocation a share of them. Linked after
// listedSteps.wgsl.
fn clearOthers(group : vec3u, local : u32) {
  let s = group.z;
  let steps = dims.B * dims.T;
  let start = startOf(s);
  let firsts = start + 4u + dims.B;
  let all = (dims.mostRows + SEATS - 1u) / SEATS * GROUP;
  for (var id = (group.x + group.y * 65535u) * GROUP + local; id < steps; id += all) {
    let i = id / dims.T;
    var next = rows[start];
    if (i + 1u < dims.B) { next = rows[firsts + i + 1u]; }
    if (rows[firsts + i] + id % dims.T < next) { continue; }
    for (var k = 0u; k < 6u; k++) { stats[6u * (s * steps + id) + k] = 0.0; }
  }
}
