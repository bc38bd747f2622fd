// C = A·B in tiles of 64 blocks of 1 × 4, 32 steps of the sum at a time, for graphics devices: a product that is too small to
// fill them in larger blocks has eight to sixteen times the invocations, each with as much less to do, and nobody waits for
// memory in every step. ACROSS blocks of a tile stand side by side, 64 / ACROSS below each other. Every sum runs in ascending
// order, one fma a step, from the value of `begin`: the same bits as every other form. Linked after what tile.wgsl is.

const DEPTH = 32u;
const DOWN = 64u / ACROSS;
// one more, so that neighbors in k write to different banks
const STRIDE = DOWN + 1u;
var<workgroup> tileA : array<f32, DEPTH * STRIDE>;
var<workgroup> tileB : array<vec4f, DEPTH * ACROSS>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let size = extent(group.z);
  let across = (size.y + 4u * ACROSS - 1u) / (4u * ACROSS);
  let tile = tileOf(group);
  if (tile >= (size.x + DOWN - 1u) / DOWN * across) { return; }
  let s = group.z;
  let m0 = tile / across * DOWN;
  let n0 = tile % across * 4u * ACROSS;
  let y = local / ACROSS;
  let x = local % ACROSS;
  let ends = stretch(group);
  var sum = begin(s, n0 + 4u * x);
  for (var k0 = ends.x; k0 < ends.y; k0 += DEPTH) {
    for (var id = local; id < DEPTH * DOWN / 4u; id += 64u) {
      let at = select(vec2u(id / (DOWN / 4u), id % (DOWN / 4u)), vec2u(id % DEPTH, id / DEPTH), A_ALONG);
      let a = readA(s, m0 + 4u * at.y, min(k0 + at.x, ends.y - 1u));
      let to = at.x * STRIDE + 4u * at.y;
      tileA[to] = a.x; tileA[to + 1u] = a.y; tileA[to + 2u] = a.z; tileA[to + 3u] = a.w;
    }
    for (var id = local; id < DEPTH * ACROSS; id += 64u) {
      let at = select(vec2u(id / ACROSS, id % ACROSS), vec2u(id % DEPTH, id / DEPTH), B_ALONG);
      tileB[at.x * ACROSS + at.y] = readB(s, min(k0 + at.x, ends.y - 1u), n0 + 4u * at.y);
    }
    workgroupBarrier();
    let steps = min(DEPTH, ends.y - k0);
    for (var k = 0u; k < steps; k++) { sum = fma(vec4f(tileA[k * STRIDE + y]), tileB[k * ACROSS + x], sum); }
    workgroupBarrier();
  }
  put(group, m0 + y, n0 + 4u * x, sum);
}
