// Weight of a step, and whether it is one, where every step of the batch has a place. Linked after everyStep.wgsl.
//
// plan : [S, B, 2] = weight, length
@group(0) @binding(10) var<storage, read> plan : array<f32>;

fn weightOf(at : Place) -> f32 { return plan[2u * at.row]; }
fn isReal(at : Place) -> bool { return f32(at.step % dims.T) < plan[2u * at.row + 1u]; }
/// Every step has a place: there are no others, see otherSteps.wgsl.
fn clearOthers(group : vec3u, local : u32) {}
