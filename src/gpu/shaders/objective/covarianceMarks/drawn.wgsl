// Units drawn from candidates: those with the smallest draws, of which there are 2²⁴. Linked after random.wgsl and what the
// objective says:
//   mayGo(c, isAbove, A, delta) -> bool     is a unit a candidate? isAbove: its covariance is above the rank
//
// roll : [2 + S, …] = purpose of the rollout, update, seed of each replica, then what is not read
// taken : [S, words] of which `at` is the number of steps before this look; with words = 0 it is `look`

@group(0) @binding(6) var<storage, read> roll  : array<u32>;
@group(0) @binding(7) var<storage, read> taken : array<f32>;

const DRAWS = true;
const SURVEY_DRAW = 48u;

fn drawnAs(s : u32, step : u32, c : f32, isAbove : bool, A : f32, delta : f32) -> f32 {
  if (!mayGo(c, isAbove, A, delta)) { return 0.0; }
  var look = dims.look;
  if (dims.words > 0u) { look = u32(taken[s * dims.words + dims.at]); }
  let draw = random(roll[2u + s], SURVEY_DRAW, roll[1], look, step - s * dims.B * dims.T) >> 8u;
  return f32(0x1000000u - draw);
}
