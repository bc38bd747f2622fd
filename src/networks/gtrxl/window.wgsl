// Which earlier steps of its episode step t reads: those of its segment, and MEMORY steps before the segment. MEMORY and
// SEGMENT are linked in front.

/// The oldest one.
fn firstOf(t : u32) -> u32 {
  let own = t - t % SEGMENT;
  return own - min(own, MEMORY);
}

/// The last step of an episode that reads step u.
fn lastOf(u : u32) -> u32 { return ((u + MEMORY) / SEGMENT + 1u) * SEGMENT - 1u; }

/// The last step of the segment of step u: those after it read u as a memory, through which no gradient goes back.
fn lastOwn(u : u32) -> u32 { return (u / SEGMENT + 1u) * SEGMENT - 1u; }
