// RMS of the credit over real steps. Raises flag 3 (advantage) when a credit is not finite. Linked with tree.wgsl and steps.wgsl.
//
// credit : [2][S, B, T], the first part is A     rms : [S]     flags : [S]

struct Dims { B : u32, lanes : u32, pieces : u32, T : u32 }

@group(0) @binding(0) var<uniform>             dims   : Dims;
@group(0) @binding(1) var<storage, read>       length : array<u32>;
@group(0) @binding(2) var<storage, read>       credit : array<f32>;
@group(0) @binding(3) var<storage, read_write> rms    : array<f32>;
@group(0) @binding(4) var<storage, read_write> flags  : array<atomic<u32>>;

struct Sums { squares : f32, steps : f32 }

fn merge(a : Sums, b : Sums) -> Sums { return Sums(a.squares + b.squares, a.steps + b.steps); }

fn add(s : u32, i : u32, from_ : u32, by : u32) -> Sums {
  var now = Sums();
  let row = s * dims.B + i;
  for (var t = from_; t < length[row]; t += by) {
    let A = credit[row * dims.T + t];
    now.squares += A * A;
  }
  return now;
}

fn whole(sums : Sums, s : u32, i : u32) -> Sums { return Sums(sums.squares, f32(length[s * dims.B + i])); }

fn finish(s : u32, local : u32, all : Sums) {
  if (local != 0u) { return; }
  if ((bitcast<u32>(all.squares) & 0x7f800000u) == 0x7f800000u) { atomicCompareExchangeWeak(&flags[s], 0u, 3u); }
  rms[s] = sqrt(all.squares / all.steps);
}
