// C = A·B in tiles of 64 × 64 through workgroup memory, 16 steps of the sum at a time: for graphics devices, where it reads
// each number of A and B once per tile. One workgroup per tile, 8 × 8 sums per invocation: rows 4y … 4y + 3 and 32 beyond,
// columns 4x … 4x + 3 and 32 beyond, so that neighbors read neighboring words. Every sum runs in ascending order, one fma
// a step, from the value of `begin`: the same bits as the forms without barriers.
//
// Linked after a file that gives the product its meaning:
//   extent(s) rows and columns of C    stretch(group) first step and end of the sum     begin(s, n) four columns at the start
//   readA(s, m, k) rows m … m + 3      readB(s, k, n) columns n … n + 3                 put(group, m, n, sum)
//   A_ALONG, B_ALONG: whether neighbors in k are neighbors in memory, for reading in the order of memory
// Reads may lie outside: they repeat the last row or column and are not written.

const DEPTH = 16u;
var<workgroup> tileA : array<vec4f, 256>; // [DEPTH, 16]
var<workgroup> tileB : array<vec4f, 256>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let size = extent(group.z);
  let tiles = (size + vec2u(63u)) / 64u;
  let tile = tileOf(group);
  let s = group.z;
  let m0 = (tile / tiles.y) * 64u;
  let n0 = (tile % tiles.y) * 64u;
  let y = local / 8u;
  let x = local % 8u;
  let ends = stretch(group);
  let b = begin(s, n0 + 4u * x);
  let c = begin(s, n0 + 4u * x + 32u);
  var s0 = b; var t0 = c;
  var s1 = b; var t1 = c;
  var s2 = b; var t2 = c;
  var s3 = b; var t3 = c;
  var s4 = b; var t4 = c;
  var s5 = b; var t5 = c;
  var s6 = b; var t6 = c;
  var s7 = b; var t7 = c;
  if (tile >= tiles.x * tiles.y) { return; }
  for (var k0 = ends.x; k0 < ends.y; k0 += DEPTH) {
    for (var part = 0u; part < 4u; part++) {
      let id = part * 64u + local;
      let a = select(vec2u(id / 16u, id % 16u), vec2u(id % 16u, id / 16u), A_ALONG);
      tileA[a.x * 16u + a.y] = readA(s, m0 + 4u * a.y, min(k0 + a.x, ends.y - 1u));
      let v = select(vec2u(id / 16u, id % 16u), vec2u(id % 16u, id / 16u), B_ALONG);
      tileB[v.x * 16u + v.y] = readB(s, min(k0 + v.x, ends.y - 1u), n0 + 4u * v.y);
    }
    workgroupBarrier();
    let steps = min(DEPTH, ends.y - k0);
    for (var k = 0u; k < steps; k++) {
      let p = tileA[k * 16u + y];
      let q = tileA[k * 16u + 8u + y];
      let u = tileB[k * 16u + x];
      let v = tileB[k * 16u + 8u + x];
      s0 = fma(vec4f(p.x), u, s0); t0 = fma(vec4f(p.x), v, t0);
      s1 = fma(vec4f(p.y), u, s1); t1 = fma(vec4f(p.y), v, t1);
      s2 = fma(vec4f(p.z), u, s2); t2 = fma(vec4f(p.z), v, t2);
      s3 = fma(vec4f(p.w), u, s3); t3 = fma(vec4f(p.w), v, t3);
      s4 = fma(vec4f(q.x), u, s4); t4 = fma(vec4f(q.x), v, t4);
      s5 = fma(vec4f(q.y), u, s5); t5 = fma(vec4f(q.y), v, t5);
      s6 = fma(vec4f(q.z), u, s6); t6 = fma(vec4f(q.z), v, t6);
      s7 = fma(vec4f(q.w), u, s7); t7 = fma(vec4f(q.w), v, t7);
    }
    workgroupBarrier();
  }
  put(group, m0 + 4u * y + 0u, n0 + 4u * x, s0); put(group, m0 + 4u * y + 0u, n0 + 4u * x + 32u, t0);
  put(group, m0 + 4u * y + 1u, n0 + 4u * x, s1); put(group, m0 + 4u * y + 1u, n0 + 4u * x + 32u, t1);
  put(group, m0 + 4u * y + 2u, n0 + 4u * x, s2); put(group, m0 + 4u * y + 2u, n0 + 4u * x + 32u, t2);
  put(group, m0 + 4u * y + 3u, n0 + 4u * x, s3); put(group, m0 + 4u * y + 3u, n0 + 4u * x + 32u, t3);
  put(group, m0 + 4u * y + 0u + 32u, n0 + 4u * x, s4); put(group, m0 + 4u * y + 0u + 32u, n0 + 4u * x + 32u, t4);
  put(group, m0 + 4u * y + 1u + 32u, n0 + 4u * x, s5); put(group, m0 + 4u * y + 1u + 32u, n0 + 4u * x + 32u, t5);
  put(group, m0 + 4u * y + 2u + 32u, n0 + 4u * x, s6); put(group, m0 + 4u * y + 2u + 32u, n0 + 4u * x + 32u, t6);
  put(group, m0 + 4u * y + 3u + 32u, n0 + 4u * x, s7); put(group, m0 + 4u * y + 3u + 32u, n0 + 4u * x + 32u, t7);
}
