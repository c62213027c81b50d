/** See TextOperations.packTexts. */
export function packTexts(
  out: usize, outOffsets: usize, outWidth: u32, bytes: usize, offsets: usize, order: usize, rowCount: u32,
): void {
  let used: u32 = 0;
  putOffset(outOffsets, outWidth, 0, 0);
  for (let i: u32 = 0; i < rowCount; i++) {
    const at = offsets + (load<u32>(order + (i << 2)) << 2);
    const from = load<u32>(at);
    const textBytes = load<u32>(at, 4) - from;
    if (textBytes != 0) memory.copy(out + used, bytes + from, textBytes);
    used += textBytes;
    putOffset(outOffsets, outWidth, i + 1, used);
  }
}

@inline
function putOffset(offsets: usize, width: u32, index: u32, offset: u32): void {
  if (width == 2) store<u16>(offsets + (index << 1), <u16>offset);
  else store<u32>(offsets + (index << 2), offset);
}
