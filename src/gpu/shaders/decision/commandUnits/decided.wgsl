// How many words of a written command left a choice. Linked after command.wgsl; the kernel has dims.decisions.
fn decidedWords(command : u32) -> u32 {
  var count = 0u;
  var j = 0u;
  for (var k = 0u; k < dims.decisions; k++) {
    let c = slotOf(j, command);
    if (c == NONE) { break; }
    count++;
    if (slotNext(c) == NONE) { break; }
    j = slotNext(c);
  }
  return count;
}
