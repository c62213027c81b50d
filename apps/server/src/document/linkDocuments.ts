import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HadalError, type ShortLink } from "@hadal/sdk";
import { stagedSuffix, writeFileDurably } from "../base/durableFile.js";

/** A few hundred bytes each: tens of megabytes on the disk, and nothing in memory. */
const linksMax = 100_000;
/** 48 bits: among a hundred thousand links two hardly ever meet, and then both are kept. */
const idLength = 10;
/** Without vowels no words come of it, and nothing that is mistaken for another sign. */
const idSigns = "23456789bcdfghjkmnpqrstvwxyz";

/** Short names of addresses, one file each. The name comes from the address, so that the same one is kept once. */
export class LinkDocuments {
  private constructor(
    private readonly folder: string,
    private readonly nowMs: () => number,
    private count: number,
  ) {}

  static async open(folder: string, nowMs: () => number): Promise<LinkDocuments> {
    await mkdir(folder, { recursive: true });
    const names = await readdir(folder);
    const count = names.filter((name) => !name.endsWith(stagedSuffix)).length;
    return new LinkDocuments(folder, nowMs, count);
  }

  /** Resolves when the link is on the disk. */
  async save(path: string): Promise<ShortLink> {
    for (let attempt = 0; ; attempt++) {
      const id = idOf(path, attempt);
      const known = await this.read(id);
      if (known?.path === path) return known;
      // Another address has the name already: the next one is as good.
      if (known !== null) continue;
      return this.write({ id, path, savedMs: this.nowMs() });
    }
  }

  /** Rejects with `unknown-link`. */
  async find(id: string): Promise<ShortLink> {
    const found = isId(id) ? await this.read(id) : null;
    if (found === null) throw new HadalError("unknown-link", { id: id.slice(0, 50) });
    return found;
  }

  private async write(link: ShortLink): Promise<ShortLink> {
    if (this.count >= linksMax) {
      const detail = `There are ${linksMax} short links (linksMax). Share the long address.`;
      throw new HadalError("bad-request", { detail });
    }
    this.count++;
    await writeFileDurably(this.pathOf(link.id), Buffer.from(JSON.stringify(link)));
    return link;
  }

  private async read(id: string): Promise<ShortLink | null> {
    try {
      return JSON.parse(await readFile(this.pathOf(id), "utf8")) as ShortLink;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

/** Only what {@link idOf} makes may become the name of a file. */
const isId = (id: string): boolean => new RegExp(`^[a-z2-9]{${idLength}}$`).test(id);

function idOf(path: string, attempt: number): string {
  const hash = createHash("sha256").update(`${attempt}\n${path}`).digest();
  return Array.from(hash.subarray(0, idLength), (byte) => idSigns[byte % idSigns.length]).join("");
}
