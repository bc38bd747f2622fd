// All replicas have the same number of rows.
var<private> rowCount : u32;
fn rowsOf(s : u32) -> u32 { return dims.rows; }
