// The world works in the columns: near.wgsl where states and observations have few words.

@group(0) @binding(3) var<storage, read_write> state : array<u32>;
@group(0) @binding(4) var<storage, read_write> obs : array<u32>;

fn stateIn(row : u32, t : u32) -> u32 { return stateAt(row, t); }
fn obsIn(row : u32, t : u32) -> u32 { return obsAt(row, t); }
fn recallState(row : u32, t : u32) {}
fn followState(row : u32, t : u32) {
  let at = stateAt(row, t);
  for (var k = 0u; k < dims.words; k++) { state[at + k] = state[at + k - dims.words]; }
}
fn keepState(row : u32, t : u32) {}
fn keepObs(row : u32, t : u32) {}
