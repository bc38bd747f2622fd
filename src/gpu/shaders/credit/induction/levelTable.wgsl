// Levels whose states are listed, as words: twin of gpu/levelTable.ts, linked into kernels that bind `tables` and `values` and have
// dims.actions (A), dims.words (of a state, the last of which is its clock) and dims.gamma.
//
//   tables  where the place of every row is, or NO_TABLE · places of 4 words: its table, first state in the outputs of the network,
//           first value, 1 if it is used · tables
//   table   n · limit L · outcomes k · legal [n] · order [n] · states [n, words − 1] · offset [n·A + 1] · r [n·A] ·
//           next [k] · P [k]
//   values  [L, n] of each place: V with t steps taken
const NO_TABLE = 0xffffffffu;
const OVER = 0xffffffffu;

struct Table { n : u32, limit : u32, legal : u32, order : u32, states : u32, offset : u32, reward : u32, next : u32, chance : u32 }

fn tableAt(at : u32) -> Table {
  let n = tables[at];
  let pairs = n * dims.actions;
  let legal = at + 3u;
  let order = legal + n;
  let states = order + n;
  let offset = states + n * (dims.words - 1u);
  let reward = offset + pairs + 1u;
  let next = reward + pairs;
  return Table(n, tables[at + 1u], legal, order, states, offset, reward, next, next + tables[at + 2u]);
}

/// Q_t of a pair of state and action: r + γ Σ P(s′) V_{t+1}(s′), the values of all states after t + 1 steps from `later` on.
fn pairValue(table : Table, pair : u32, t : u32, later : u32) -> f32 {
  var q = bitcast<f32>(tables[table.reward + pair]);
  if (t + 1u >= table.limit) { return q; }
  let end = tables[table.offset + pair + 1u];
  for (var k = tables[table.offset + pair]; k < end; k++) {
    let to = tables[table.next + k];
    if (to != OVER) { q += dims.gamma * bitcast<f32>(tables[table.chance + k]) * values[later + to]; }
  }
  return q;
}
