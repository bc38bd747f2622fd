// Divides the credit by its RMS over real steps ("match update size"), which is then 1, or 0 where all of it is.
// Raises flag 3 (advantage) when a credit is not finite. Linked after tree.wgsl; `spread` is what follows.
// 30 steps of 16,384 rows take 3.9 ms, in pieces where needed, instead of 4.5 of one workgroup (two cores of SwiftShader).
//
// credit : [2][S, B, T], the first part is A     rms : [S]     flags : [S]

struct Dims { B : u32, lanes : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read_write> credit : array<f32>;
@group(0) @binding(3) var<storage, read_write> rms    : array<f32>;
@group(0) @binding(4) var<storage, read_write> flags  : array<atomic<u32>>;

struct Sums { squares : f32, steps : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.squares + b.squares, a.steps + b.steps); }

fn add(sums : Sums, s : u32, i : u32) -> Sums {
  let row = s * dims.B + i;
  var now = sums;
  for (var t = 0u; t < length[row]; t++) {
    let A = credit[row * dims.T + t];
    now.squares += A * A;
  }
  now.steps += f32(length[row]);
  return now;
}

fn sizeOf(all : Sums) -> f32 { return sqrt(all.squares / all.steps); }

fn divide(row : u32, size : f32) {
  if (size > 0.0) {
    for (var t = 0u; t < length[row]; t++) { credit[row * dims.T + t] /= size; }
  }
}

fn finish(s : u32, local : u32, all : Sums) {
  let size = sizeOf(all);
  if (dims.lanes == 64u) {
    for (var i = local; i < dims.B; i += 64u) { divide(s * dims.B + i, size); }
  }
  // all have read what the lanes had
  storageBarrier();
  if (local != 0u) { return; }
  if ((bitcast<u32>(all.squares) & 0x7f800000u) == 0x7f800000u) { atomicCompareExchangeWeak(&flags[s], 0u, 3u); }
  rms[s] = select(0.0, 1.0, size > 0.0);
  if (dims.lanes > 64u) { parts[s * dims.lanes] = all; }
}

@compute @workgroup_size(64)
fn spread(@builtin(workgroup_id) group : vec3u, @builtin(local_invocation_index) local : u32) {
  let i = group.x * 64u + local;
  if (i < dims.B) { divide(group.z * dims.B + i, sizeOf(parts[group.z * dims.lanes])); }
}
