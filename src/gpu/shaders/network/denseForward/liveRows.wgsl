// Packed chunks: word `dims.rows` of a replica says how many of its rows are live.
// rows : [S, stride]
@group(0) @binding(6) var<storage, read> rows : array<u32>;
var<private> rowCount : u32;
fn rowsOf(s : u32) -> u32 { return rows[s * dims.stride + dims.rows]; }
