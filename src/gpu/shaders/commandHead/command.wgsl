// Reading the grammar of commands: per prefix token, depth, ancestors, first slot, slots; then per slot node, token,
// actions as bits, next prefix (none: all ones), action (none: all ones); then the commands of the actions.
// Linked into kernels that have `grammar`, dims.J (prefixes) and dims.masked.
const NONE = 0xffffffffu;

fn firstSlot(j : u32) -> u32 { return grammar[5u * j + 3u]; }
fn endSlot(j : u32) -> u32 { return grammar[5u * j + 3u] + grammar[5u * j + 4u]; }
fn depthOf(j : u32) -> u32 { return grammar[5u * j + 1u]; }
fn slotToken(c : u32) -> u32 { return grammar[5u * (dims.J + c) + 1u]; }
fn slotNext(c : u32) -> u32 { return grammar[5u * (dims.J + c) + 3u]; }
fn slotAction(c : u32) -> u32 { return grammar[5u * (dims.J + c) + 4u]; }

/// May a word be written now? It continues a legal command, or the grammar does not bind.
fn isLegalSlot(c : u32, legal : u32) -> bool {
  return dims.masked == 0u || (grammar[5u * (dims.J + c) + 2u] & legal) != 0u;
}

/// Slot that a written command (one token a byte) chose at prefix j.
fn slotOf(j : u32, command : u32) -> u32 {
  let token = (command >> (8u * depthOf(j))) & 255u;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (slotToken(c) == token) { return c; }
  }
  return NONE;
}
