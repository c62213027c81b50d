import { createHash } from "node:crypto";
import type { AddedKeys, StoredKeys } from "../../../../registry/ledger/ledgerKeys.js";
import { windowMs } from "../../batchWindow.js";
import type { StoredKey } from "../../ledgerBatches.js";

/** 72 bits of a key and 36 of a batch: no two of millions are the same. */
const keyUnits = 12;
const batchUnits = 6;
/** 1,000 a second over the window, of some 100 bytes. */
const keysMax = 600_000;

/** The form in the registry; null: there are none of the window. */
export function printKeys(stored: readonly StoredKey[], nowMs: number): StoredKeys | null {
  const byLeaf: Record<string, string[]> = Object.create(null);
  let areThere = false;
  for (const { table, key, batchId, leaf, atMs } of stored) {
    if (nowMs - atMs > windowMs) continue;
    areThere = true;
    byLeaf[leaf] ??= [];
    byLeaf[leaf].push(hashOfKey(table, key) + hashOfBatch(batchId));
  }
  return areThere ? byLeaf : null;
}

interface KnownKey {
  readonly atMs: number;
  /** Leaf and hash, by both. */
  readonly batches: Map<string, { readonly leaf: string; readonly hash: string }>;
}

/** Keys of all gateways whose rows leaves have stored, of the window in which they may come again. */
export class SharedKeys {
  readonly #keys = new Map<string, KnownKey>();

  use(added: readonly AddedKeys[], nowMs: number): void {
    for (const { atMs, keys } of added)
      for (const [leaf, batches] of Object.entries(keys))
        for (const batch of batches) this.#add(leaf, batch, atMs);
    for (const [key, { atMs }] of this.#keys) {
      if (nowMs - atMs <= windowMs && this.#keys.size <= keysMax) break;
      this.#keys.delete(key);
    }
  }

  has(table: string, key: string): boolean {
    return this.#keys.has(hashOfKey(table, key));
  }

  /** Whether one of these leaves has a batch of the key that is not among those that were found. */
  isOnOneOf(
    { table, key, found }: { table: string; key: string; found: Iterable<string> },
    leaves: ReadonlySet<string>,
  ): boolean {
    const known = new Set([...found].map(hashOfBatch));
    const batches = this.#keys.get(hashOfKey(table, key))?.batches.values() ?? [];
    return [...batches].some(({ leaf, hash }) => leaves.has(leaf) && !known.has(hash));
  }

  #add(leaf: string, text: string, atMs: number): void {
    const key = text.slice(0, keyUnits);
    const hash = text.slice(keyUnits);
    const { batches } = this.#keys.get(key) ?? { batches: new Map() };
    batches.set(`${leaf}\n${hash}`, { leaf, hash });
    // The oldest stay first.
    this.#keys.delete(key);
    this.#keys.set(key, { atMs, batches });
  }
}

const hashOf = (text: string, units: number): string =>
  createHash("sha256").update(text).digest("base64url").slice(0, units);

const hashOfKey = (table: string, key: string): string => hashOf(`${table}\n${key}`, keyUnits);

const hashOfBatch = (batchId: string): string => hashOf(batchId, batchUnits);
