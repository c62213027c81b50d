import { createHash } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { HadalError, type ShortLink } from "@hadal/sdk";
import { readDocument, writeDocument } from "../base/file/documentFile.js";

/** A few hundred bytes each: tens of megabytes on the disk, and nothing in memory. */
const linksMax = 100_000;
/** 48 bits: among a hundred thousand links two hardly ever meet, and then both are kept. */
const idLength = 10;
/** Without vowels no words come of it, and nothing that is mistaken for another sign. */
const idSigns = "23456789bcdfghjkmnpqrstvwxyz";

const suffix = ".json";

export interface LinkDeps {
  readonly nowMs: () => number;
  /** Called with a damaged link. */
  readonly warn: (text: string) => void;
}

/** Short names of addresses, one file each. The name comes from the address, so that the same one is kept once. */
export class LinkDocuments {
  readonly #folder: string;
  readonly #deps: LinkDeps;
  #count: number;

  private constructor(folder: string, deps: LinkDeps, count: number) {
    this.#folder = folder;
    this.#deps = deps;
    this.#count = count;
  }

  static async open(folder: string, deps: LinkDeps): Promise<LinkDocuments> {
    await mkdir(folder, { recursive: true });
    const names = await readdir(folder);
    return new LinkDocuments(folder, deps, names.filter((name) => name.endsWith(suffix)).length);
  }

  /** Resolves when the link is on the disk. */
  async save(path: string): Promise<ShortLink> {
    for (let attempt = 0; ; attempt++) {
      const id = idOf(path, attempt);
      const known = await this.#read(id);
      if (known?.path === path) return known;
      // Another address has the name already: the next one is as good.
      if (known !== null) continue;
      return this.#write({ id, path, savedMs: this.#deps.nowMs() });
    }
  }

  /** Rejects with `unknown-link`. */
  async find(id: string): Promise<ShortLink> {
    const found = isId(id) ? await this.#read(id) : null;
    if (found === null) throw new HadalError("unknown-link", { id: id.slice(0, 50) });
    return found;
  }

  async #write(link: ShortLink): Promise<ShortLink> {
    if (this.#count >= linksMax) {
      const detail = `There are ${linksMax} short links (linksMax). Share the long address.`;
      throw new HadalError("bad-request", { detail });
    }
    await writeDocument(this.#pathOf(link.id), `the short link ${link.id}`, link);
    this.#count++;
    return link;
  }

  #read(id: string): Promise<ShortLink | null> {
    const { warn } = this.#deps;
    return readDocument(this.#pathOf(id), { name: `the short link ${id}`, check: checkLink, warn });
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}${suffix}`);
  }
}

/** Throws where it is something else. */
export function checkLink(value: unknown): ShortLink {
  const { id, path, savedMs } = value as ShortLink;
  if (typeof id !== "string" || typeof path !== "string") throw new Error("it is no short link");
  return { id, path, savedMs };
}

/** Only what {@link idOf} makes may become the name of a file. */
const isId = (id: string): boolean => new RegExp(`^[a-z2-9]{${idLength}}$`).test(id);

function idOf(path: string, attempt: number): string {
  const hash = createHash("sha256").update(`${attempt}\n${path}`).digest();
  return Array.from(hash.subarray(0, idLength), (byte) => idSigns[byte % idSigns.length]).join("");
}
