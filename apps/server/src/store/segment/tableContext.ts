import type { KernelOperations } from "@hadal/kernel-wasm";
import type { LeafMemory } from "../../memory/leafMemory.js";

/** The parts of the leaf that a table uses. */
export interface TableContext {
  readonly memory: LeafMemory;
  readonly kernel: KernelOperations;
  readonly warn: (text: string) => void;
}

/**
 * Kept free of rows: one open and one sealed segment of 30 wide columns, and the scratch of
 * sealing.
 */
export const storeReserveBytes = 64 * 2 ** 20;
