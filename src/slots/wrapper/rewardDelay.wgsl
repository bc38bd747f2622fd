// Pays the rewards of a whole episode late: those at result[at … at + count) move DELAY steps on, all that is due by then is
// paid in the last. The twin of `payLate` in src/envs/perturb.

fn ownSettle(at : u32, count : u32) {
  innerSettle(at, count);
  let d = OWN_DELAY;
  let last = count - 1u;
  var due = 0;
  for (var k = last - min(last, d); k <= last; k++) { due += bitcast<i32>(result[at + k]); }
  for (var back = 1u; back <= last; back++) {
    let k = last - back;
    if (k >= d) { result[at + k] = result[at + k - d]; } else { result[at + k] = 0u; }
  }
  result[at + last] = bitcast<u32>(due);
}
