// A block has a place for every trajectory of the batch, whether it lasts so long or not, and what is kept of trajectories and
// steps has a row for each of them.
fn placesOf(s : u32) -> u32 { return dims.B; }
fn trajectoryAt(s : u32, place : u32) -> u32 { return place; }
fn rowAt(s : u32, place : u32, by : u32, replica : u32, row : u32) -> u32 { return s * replica + place * row; }
fn isThere(s : u32, place : u32, by : u32, row : u32, at : u32) -> bool { return true; }
