// What a text-maze tells of a state; linked after step.wgsl, stateTable.wgsl and mapTable.wgsl.

fn tellState(levelAt : u32, tableAt : u32, stateAt : u32, potential : u32) -> Told {
  var told = tellFrom(tableAt, stateAt, state[stateAt + 3u] >> 16u, envKey(stateAt), envKey(stateAt), potential);
  told.completion = f32(told.reached) / f32(tables[tableAt]);
  return told;
}

fn novelKey(levelAt : u32, stateAt : u32) -> vec2u { return envKey(stateAt); }
