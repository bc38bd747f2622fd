// The numbers before the activation are not needed again.
fn keep(at : u32, z : f32) {}
