// What kernels that play many steps in one dispatch are bound to, as the headers of moves.wgsl, chain.wgsl and decide.wgsl
// lay it out. Behind the tasks in `levels` lie, from rollAt, the purpose of the draws, the update, and the seed of each
// replica; from rollAt + shown, if that is not 0, [S, B, T] action + 1 where a demonstration dictates it, 0 elsewhere.
// Each trajectory goes on where it is (ending, word 3), so that the same dispatch does the next chunk, and the next,
// until the end of its turn (moves.wgsl).
//
// sampled : [3][S, B, T] log-probability, entropy, value, then from probsAt [S, B, T, actions]     flags : [S]

struct Dims {
  B : u32, T : u32, words : u32, obsWords : u32, section : u32,
  assignAt : u32, endingAt : u32, lengthAt : u32, turnAt : u32,
  rollAt : u32, probsAt : u32, floatSection : u32, actions : u32, n : u32, inverse : f32,
  size : u32, kind : u32, chunk : u32, from_ : u32, to : u32, shown : u32,
}

@group(0) @binding(0) var<uniform>             dims    : Dims;
@group(0) @binding(1) var<storage, read>       levels  : array<u32>;
@group(0) @binding(5) var<storage, read_write> choice  : array<u32>;
@group(0) @binding(6) var<storage, read_write> result  : array<u32>;
@group(0) @binding(7) var<storage, read_write> sampled : array<f32>;
@group(0) @binding(8) var<storage, read_write> flags   : array<atomic<u32>>;

fn keepProb(at : u32, p : f32) { sampled[dims.probsAt + at] = p; }
fn shownAt(step : u32) -> u32 {
  if (dims.shown == 0u) { return 0u; }
  return levels[dims.rollAt + dims.shown + step];
}
