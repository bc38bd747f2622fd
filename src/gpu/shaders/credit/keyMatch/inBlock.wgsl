// The sets of a block and the links of their steps, by one workgroup: for blocks of few steps on graphics devices, where a dispatch costs
// more than they do. Linked after keyMatch.wgsl and linkBlock.wgsl.

@compute @workgroup_size(64)
fn inBlock(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let begin = (group.x + group.y * 65535u) * dims.block;
  if (begin >= dims.B) { return; }
  let s = group.z;
  let first = begin * dims.T;
  let end = min(begin + dims.block, dims.B) * dims.T;
  let place = 2u * s * dims.B * dims.T;
  for (var k = 2u * first + local; k < 2u * end; k += 64u) { atomicStore(&table[place + k], 0u); }
  storageBarrier();
  for (var id = first + local; id < end; id += 64u) { insertStep(s, id); }
  storageBarrier();
  for (var id = first + local; id < end; id += 64u) { settleStep(s, id); }
  storageBarrier();
  linkBlock(s, begin, local);
}
