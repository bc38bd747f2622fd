// The decisions of a step that writes a command, as a tree: per prefix token, depth, ancestors, first slot, slots; then per
// slot node, token, actions as bits, next prefix (none: all ones), action (none: all ones); then the commands of the actions.
// Linked into kernels that have `grammar`, dims.J (prefixes) and dims.masked.
const NONE = 0xffffffffu;
/// Most units of a step, and whether it may have several. A command has at most four words.
const MOST = 4u;
const SEVERAL = true;

fn prefixCount() -> u32 { return dims.J; }
fn slotCount() -> u32 { return endSlot(dims.J - 1u); }
fn firstSlot(j : u32) -> u32 { return grammar[5u * j + 3u]; }
fn endSlot(j : u32) -> u32 { return grammar[5u * j + 3u] + grammar[5u * j + 4u]; }
fn depthOf(j : u32) -> u32 { return grammar[5u * j + 1u]; }
fn slotToken(c : u32) -> u32 { return grammar[5u * (dims.J + c) + 1u]; }
fn slotNext(c : u32) -> u32 { return grammar[5u * (dims.J + c) + 3u]; }
fn slotAction(c : u32) -> u32 { return grammar[5u * (dims.J + c) + 4u]; }
fn writtenFor(action : u32) -> u32 { return grammar[5u * (dims.J + slotCount()) + action]; }
fn isMasked() -> bool { return dims.masked == 1u; }

/// May a word be written now? It continues a legal command, or the grammar does not bind.
fn isLegalSlot(c : u32, legal : u32) -> bool {
  return dims.masked == 0u || (grammar[5u * (dims.J + c) + 2u] & legal) != 0u;
}
fn legalSlots(j : u32, legal : u32) -> u32 {
  var n = 0u;
  for (var c = firstSlot(j); c < endSlot(j); c++) { n += u32(isLegalSlot(c, legal)); }
  return n;
}

/// Slot that a written command (one token a byte) chose at prefix j.
fn slotOf(j : u32, command : u32) -> u32 {
  let token = (command >> (8u * depthOf(j))) & 255u;
  for (var c = firstSlot(j); c < endSlot(j); c++) {
    if (slotToken(c) == token) { return c; }
  }
  return NONE;
}
