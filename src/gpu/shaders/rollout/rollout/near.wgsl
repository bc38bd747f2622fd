// The state that the world works on, and what is seen of it while it is put together bit by bit, in memory of the invocation or of
// its workgroup: a world reads them again and again, one word after it has seen another, and would each time wait for the
// columns. Linked with `state` and `obs`, STATE_WORDS and OBS_WORDS for each player of a workgroup, and `player`.

@group(0) @binding(3) var<storage, read_write> states : array<u32>;
@group(0) @binding(4) var<storage, read_write> sights : array<u32>;

/// Where the world finds state t of a row.
fn stateIn(row : u32, t : u32) -> u32 { return player * STATE_WORDS; }

/// Where it puts the observation of step t, and the network finds it.
fn obsIn(row : u32, t : u32) -> u32 { return player * OBS_WORDS; }

/// Brings state t there.
fn recallState(row : u32, t : u32) {
  for (var k = 0u; k < STATE_WORDS; k++) { state[stateIn(row, t) + k] = states[stateAt(row, t) + k]; }
}

/// Lets state t begin as the one before it.
fn followState(row : u32, t : u32) {}

// What was worked on goes into its column.
fn keepState(row : u32, t : u32) {
  for (var k = 0u; k < STATE_WORDS; k++) { states[stateAt(row, t) + k] = state[stateIn(row, t) + k]; }
}
fn keepObs(row : u32, t : u32) {
  for (var k = 0u; k < OBS_WORDS; k++) { sights[obsAt(row, t) + k] = obs[obsIn(row, t) + k]; }
}
