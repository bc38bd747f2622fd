// Levels stay where they are: nearLevels.wgsl where they have few words.

fn bringLevels(local : u32) {}
fn levelIn(at : u32) -> u32 { return at; }
