// The units with the largest covariance themselves.
const DRAWS = false;
fn drawnAs(s : u32, step : u32, c : f32, isAbove : bool, A : f32, delta : f32) -> f32 { return c; }
