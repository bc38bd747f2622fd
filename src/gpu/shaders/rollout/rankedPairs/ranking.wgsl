// Which of two rows of a segment wins: the first of three wishes, in the order at hand, in which they differ by more than σ times
// its spread (over n − 1) in the segment decides. Linked behind a kernel with `dims.B`, `block`, `k0`, `k1`, `k2` and `sigma`,
// z : [S, B, 3] and taskIndex : [S, B].
//
// block: the rows of a segment lie in one block of this many rows; B where they may lie anywhere

fn wishesOf(row : u32) -> vec3f { return vec3f(z[3u * row + dims.k0], z[3u * row + dims.k1], z[3u * row + dims.k2]); }

/// The first row of the block of a row, and the one after its last.
fn blockOf(row : u32) -> vec2u {
  let i = row % dims.B;
  let begin = row - i % dims.block;
  return vec2u(begin, min(begin + dims.block, row - i + dims.B));
}

/// Squares of the margins in the segment of a row, and its rows.
fn marginOf(row : u32) -> vec4f {
  let block = blockOf(row);
  var n = 0.0;
  var sum = vec3f();
  for (var j = block.x; j < block.y; j++) {
    if (taskIndex[j] == taskIndex[row]) {
      n += 1.0;
      sum += wishesOf(j);
    }
  }
  var squares = vec3f();
  for (var j = block.x; j < block.y; j++) {
    if (taskIndex[j] == taskIndex[row]) {
      let d = wishesOf(j) - sum / n;
      squares += d * d;
    }
  }
  return vec4f(dims.sigma * dims.sigma * squares / max(1.0, n - 1.0), n);
}

/// Which wish decides between rows that are d apart; 3: none.
fn levelOf(d : vec3f, margin : vec3f) -> u32 {
  let clear = d * d > margin;
  return select(select(select(3u, 2u, clear.z), 1u, clear.y), 0u, clear.x);
}
