// Levels of eight players in memory of their workgroup, brought there by all its invocations: a world looks at its level a
// hundred times in a step, mostly because of what it saw there before. Linked with `level`, which the world's text has in place of
// `levels`, and LEVEL_WORDS for each player. Where levels begin stands in `places`, NO_PLACE for whoever does not play.

fn bringLevels(local : u32) {
  workgroupBarrier();
  for (var k = local; k < PLAYERS * LEVEL_WORDS; k += GROUP) {
    let place = places[k / LEVEL_WORDS];
    if (place != NO_PLACE) { level[k] = levels[place + k % LEVEL_WORDS]; }
  }
  workgroupBarrier();
}

/// Where the world finds the level that lies at a place.
fn levelIn(at : u32) -> u32 { return player * LEVEL_WORDS; }
