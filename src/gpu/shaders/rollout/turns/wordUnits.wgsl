// The units of a step are the words of its command that left a choice. Linked into turnUnits.wgsl, behind decided.wgsl.
//
// grammar : see command.wgsl     commands : [S·B, T], one token a byte

@group(0) @binding(4) var<storage, read> grammar  : array<u32>;
@group(0) @binding(5) var<storage, read> commands : array<u32>;

fn unitsOf(step : u32) -> u32 { return decidedWords(commands[step]); }
