import * as lz4 from "lz4-napi";
import { world } from "../world/world.js";

export const { compressSync, uncompressSync, compressFrameSync } = lz4;

/** On a thread of the pool: after a while. */
export function compress(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const packed = lz4.compressSync(bytes);
    world().after(world().delayMs(0.02, 1), () => resolve(packed));
  });
}
