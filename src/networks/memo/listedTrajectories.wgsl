// The block of the segment of step t has a place for every trajectory that has steps there in a list: what listSegments.wgsl has
// written. Linked in the place of everyTrajectory.wgsl, into kernels that have dims (B, T, t, segment).
@group(0) @binding(10) var<storage, read> live : array<u32>;

fn startOfLive(s : u32, segments : u32) -> u32 { return s * segments * (2u + 3u * dims.B); }
fn segmentsOf() -> u32 { return (dims.T + dims.segment - 1u) / dims.segment; }
fn placesOf(s : u32) -> u32 { return live[startOfLive(s, segmentsOf()) + dims.t / dims.segment]; }
fn entryAt(s : u32, place : u32) -> u32 {
  let segments = segmentsOf();
  return startOfLive(s, segments) + 2u * segments + 3u * (dims.t / dims.segment * dims.B + place);
}
fn trajectoryAt(s : u32, place : u32) -> u32 { return live[entryAt(s, place)]; }

/// Rows are those of places (by 0), of trajectories (1), or of the T steps of a trajectory (2), of which a list has the real ones,
/// one after the other.
fn rowAt(s : u32, place : u32, by : u32, replica : u32, row : u32) -> u32 {
  if (by == 2u) { return s * replica + live[entryAt(s, place) + 1u] * (row / dims.T); }
  return s * replica + select(place, trajectoryAt(s, place), by == 1u) * row;
}
/// Whether number `at` of a row is that of a real step.
fn isThere(s : u32, place : u32, by : u32, row : u32, at : u32) -> bool {
  return by != 2u || at < live[entryAt(s, place) + 2u] * (row / dims.T);
}
