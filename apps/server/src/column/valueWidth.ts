import type { Values } from "@hadal/kernel-wasm";

/** Smallest width for codes or offsets up to `max`. */
export function widthFor(max: bigint): Values["width"] {
  if (max === 0n) return 0;
  if (max < 0x100n) return 1;
  if (max < 0x1_0000n) return 2;
  if (max < 0x100_0000n) return 3;
  return max < 0x1_0000_0000n ? 4 : 8;
}
