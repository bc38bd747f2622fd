// The decisions of a step that is one choice among all actions, as a tree: one prefix, the actions are its slots. Stands in
// the place of command.wgsl, for kernels that have dims.actions; legal choices are bits.
const NONE = 0xffffffffu;
/// Most units of a step, and whether it may have several.
const MOST = 1u;
const SEVERAL = false;

fn prefixCount() -> u32 { return 1u; }
fn slotCount() -> u32 { return dims.actions; }
fn firstSlot(j : u32) -> u32 { return 0u; }
fn endSlot(j : u32) -> u32 { return dims.actions; }
fn depthOf(j : u32) -> u32 { return 0u; }
fn slotToken(c : u32) -> u32 { return c; }
fn slotNext(c : u32) -> u32 { return NONE; }
fn slotAction(c : u32) -> u32 { return c; }
fn slotOf(j : u32, written : u32) -> u32 { return written; }
fn writtenFor(action : u32) -> u32 { return action; }
fn isMasked() -> bool { return true; }
fn isLegalSlot(c : u32, legal : u32) -> bool { return ((legal >> c) & 1u) == 1u; }
fn legalSlots(j : u32, legal : u32) -> u32 {
  // without a mask of actions all 32 bits are set
  return countOneBits(legal & (0xffffffffu >> (32u - min(dims.actions, 32u))));
}
