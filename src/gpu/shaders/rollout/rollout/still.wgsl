// For environments in which nothing looks different by chance.

fn envFlicker(levelAt : u32, stateAt : u32, obsAt : u32, seed : u32) {}
