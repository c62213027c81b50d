import { createHash } from "node:crypto";
import { HadalError, type ShortLink } from "@hadal/sdk";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { Registry } from "../registry.js";

/** A few hundred bytes each: tens of megabytes on the disk, and nothing in memory. */
const linksMax = 100_000;
/** 48 bits: two of a hundred thousand links hardly ever get the same id, and then one gets another. */
const idLength = 10;
const attemptsMax = 8;
/** No vowels, so that ids form no words, and no characters that look like others. */
const idAlphabet = "23456789bcdfghjkmnpqrstvwxyz";

/** Short names of addresses. The name is computed from the address, so that the same one is kept once. */
export class LinkDocuments {
  readonly #registry: Registry;
  readonly #nowMs: () => number;

  constructor(registry: Registry, nowMs: () => number) {
    this.#registry = registry;
    this.#nowMs = nowMs;
  }

  /** Resolves when the link is on the disk. */
  save(path: string): Promise<ShortLink> {
    return this.#registry.change("links", async (transaction) => {
      for (let attempt = 0; ; attempt++) {
        const id = idOf(path, attempt);
        const known = await findLink(transaction, id);
        if (known?.path === path) return known;
        // Another address has the name already: the next one is as good.
        if (known !== null) continue;
        await checkCount(transaction);
        const link = { id, path, savedMs: this.#nowMs() };
        await insertLink(transaction, link);
        return link;
      }
    });
  }

  /** Rejects with `unknown-link`. */
  async find(id: string): Promise<ShortLink> {
    const found = await this.#registry.read((database) => findLink(database, id));
    const isDamaged = found !== null && !isNameOf(id, found.path);
    if (isDamaged) this.#registry.warn(`the short link ${id} is damaged`);
    if (found === null || isDamaged) throw new HadalError("unknown-link", { id: id.slice(0, 50) });
    return found;
  }
}

export async function findLink(
  database: RegistryDatabase | RegistryTransaction,
  id: string,
): Promise<ShortLink | null> {
  const row = await database.selectFrom("link").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : { id, path: row.path, savedMs: row.saved_ms };
}

export async function insertLink(
  transaction: RegistryTransaction,
  { id, path, savedMs }: ShortLink,
): Promise<void> {
  await transaction.insertInto("link").values({ id, path, saved_ms: savedMs }).execute();
}

async function checkCount(transaction: RegistryTransaction): Promise<void> {
  const { count } = await transaction
    .selectFrom("link")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) < linksMax) return;
  const detail = `There are ${linksMax} short links (linksMax). Share the long address.`;
  throw new HadalError("bad-request", { detail });
}

/** The name of an address is computed from it, and by that is its checksum. */
function isNameOf(id: string, path: string): boolean {
  for (let attempt = 0; attempt < attemptsMax; attempt++)
    if (idOf(path, attempt) === id) return true;
  return false;
}

function idOf(path: string, attempt: number): string {
  const hash = createHash("sha256").update(`${attempt}\n${path}`).digest();
  return Array.from(
    hash.subarray(0, idLength),
    (byte) => idAlphabet[byte % idAlphabet.length],
  ).join("");
}
