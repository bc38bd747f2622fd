// The gradient of a network with one hidden layer in one dispatch, with what an optimizer step wants to know of it: slices that
// another dispatch adds up cost its launch, and all of them their way through memory. For graphics devices, and few rows: a workgroup
// has few parameters and all rows, which its invocations share, and their sums meet in its memory, in a fixed tree. The first ones
// have 4 words of features, where the one behind the last is the bias, by 2 fours of outputs; an invocation walks a stretch of the rows as
// in sparseGradientTiled.wgsl. Each of the others has 4 inputs of the last layer, or its bias; an invocation has every 256th
// row. Linked after bitRuns.wgsl, and sumOf.wgsl and sums.wgsl of 256, with constants:
//   FIRST_GROUPS, GROUPS   workgroups in x: of the first layer, and all
//   INPUTS, OUTPUTS        of the last layer, INPUTS a multiple of four; LAST_WEIGHT_AT, LAST_BIAS_AT
//
// X : [S, maxRows, INPUTS/4]     dOut : [S, maxRows, OUTPUTS]     gradient : [S, size]; what is no parameter is left alone

@group(0) @binding(3) var<storage, read_write> gradient : array<f32>;
@group(0) @binding(4) var<storage, read>       X        : array<vec4f>;
@group(0) @binding(5) var<storage, read>       dOut     : array<f32>;

const PARTS = 32u;
const DOWN = 4u;
const ACROSS = 2u;
const TILE = 8u;
/// Rows of a stretch that are in memory at a time: all stretches together have one for each invocation.
const DEPTH = 8u;
var<workgroup> words : array<u32, 256u * DOWN>;
var<workgroup> pool  : array<vec4f, 512>;

/// Adds up a and b of the invocations whose numbers leave the same rest by `places`: Σ a of rest k is then in pool[k], Σ b in pool[256 + k].
fn meet(local : u32, a : vec4f, b : vec4f, places : u32) {
  workgroupBarrier();
  pool[local] = a;
  pool[256u + local] = b;
  workgroupBarrier();
  for (var n = 128u; n >= places; n /= 2u) {
    if (local < 2u * n) {
      let at = local / n * 256u + local % n;
      pool[at] += pool[at + n];
    }
    workgroupBarrier();
  }
}

fn firstLayer(s : u32, group : u32, local : u32) -> f32 {
  let out4 = dims.out / 4u;
  let across = (out4 + ACROSS - 1u) / ACROSS;
  let w0 = group / across * DOWN;
  let j0 = group % across * ACROSS;
  let count = rowsOf(s);
  let stretch = (count + PARTS - 1u) / PARTS;
  for (var k0 = 0u; k0 < stretch; k0 += DEPTH) {
    let r = local / DEPTH * stretch + k0 + local % DEPTH;
    let isRow = k0 + local % DEPTH < stretch && r < count;
    var at = 0u;
    if (isRow) { at = bitsOf(s, r); }
    for (var k = 0u; k < DOWN; k++) {
      var word = u32(isRow && w0 + k == dims.words);
      if (isRow && w0 + k < dims.words) { word = bits[at + w0 + k]; }
      words[k * 256u + local] = word;
    }
    for (var id = local; id < 256u * ACROSS; id += 256u) {
      let k = id / ACROSS;
      let row = s * dims.maxRows + min(k / DEPTH * stretch + k0 + k % DEPTH, count - 1u);
      pool[id] = dY[row * out4 + min(j0 + id % ACROSS, out4 - 1u)];
    }
    workgroupBarrier();
    let own = local / TILE * DEPTH;
    for (var k = own; k < own + DEPTH; k++) {
      take(words[local % TILE / ACROSS * 256u + k], pool[k * ACROSS + local % ACROSS]);
    }
    workgroupBarrier();
  }
  give();
  var squares = 0.0;
  for (var bit = 0u; bit < 32u; bit += 2u) {
    meet(local, totals[bit], totals[bit + 1u], TILE);
    let w = w0 + local % TILE / ACROSS;
    let j = j0 + local % ACROSS;
    let f = w * 32u + bit + local / TILE;
    let isBias = dims.hasBias == 1u && f == dims.words * 32u;
    if (local < 2u * TILE && j < out4 && (isBias || (w < dims.words && f < dims.features))) {
      let g = pool[local / TILE * 256u + local % TILE];
      let to = s * dims.size + select(dims.weightAt + f * dims.out, dims.biasAt, isBias) + 4u * j;
      for (var c = 0u; c < 4u; c++) { gradient[to + c] = g[c]; }
      squares += dot(g, g);
    }
  }
  return squares;
}

fn lastLayer(s : u32, four : u32, local : u32) -> f32 {
  let isBias = four == INPUTS / 4u;
  let count = rowsOf(s);
  // one more where they are odd
  var sum = array<vec4f, OUTPUTS + OUTPUTS % 2u>();
  for (var r = local; r < count; r += 256u) {
    let row = s * dims.maxRows + r;
    var x = vec4f(1.0, 0.0, 0.0, 0.0);
    if (!isBias) { x = X[row * (INPUTS / 4u) + four]; }
    for (var c = 0u; c < OUTPUTS; c++) { sum[c] = fma(vec4f(dOut[row * OUTPUTS + c]), x, sum[c]); }
  }
  var squares = 0.0;
  for (var c = 0u; c < OUTPUTS; c += 2u) {
    meet(local, sum[c], sum[c + 1u], 1u);
    if (local < 2u && c + local < OUTPUTS) {
      let g = pool[local * 256u];
      let to = s * dims.size + select(LAST_WEIGHT_AT + 4u * four * OUTPUTS, LAST_BIAS_AT, isBias) + c + local;
      for (var k = 0u; k < select(4u, 1u, isBias); k++) { gradient[to + k * OUTPUTS] = g[k]; }
      squares += dot(g, g);
    }
  }
  return squares;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let s = group.z;
  var squares = 0.0;
  if (group.x < FIRST_GROUPS) { squares = firstLayer(s, group.x, local); }
  else { squares = lastLayer(s, group.x - FIRST_GROUPS, local); }
  keepSums(s, group.x, GROUPS, local, dims.maxRows, squares);
  // the optimizer reads one of every 256 parameters
  let all = (dims.size + 255u) / 256u;
  for (var k = GROUPS + local; group.x == 0u && k < all; k += 256u) { sums[s * all + k] = vec4f(); }
}
