import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";

/**
 * The columns of each table in the order in which rows first brought them, in one file: leaves report them in an order of
 * their own, which a restart or another number of leaves changes. Names that no row has any more do no harm.
 */
export class ColumnOrder {
  #saving: Promise<void> | null = null;
  #isDirty = false;
  readonly #path: string;
  readonly #columns: Map<string, Set<string>>;
  readonly #warn: (text: string) => void;

  private constructor(
    path: string,
    columns: Map<string, Set<string>>,
    warn: (text: string) => void,
  ) {
    this.#path = path;
    this.#columns = columns;
    this.#warn = warn;
  }

  static async open(path: string, warn: (text: string) => void): Promise<ColumnOrder> {
    await mkdir(dirname(path), { recursive: true });
    const columns = await readDocument(path, { name: documentName, check: checkOrder, warn });
    return new ColumnOrder(path, columns ?? new Map(), warn);
  }

  of(table: string): ReadonlySet<string> {
    return this.#columns.get(table) ?? none;
  }

  /** New names go to the end at once; resolves when they are on the disk, or it is known why they are not. */
  async see(table: string, names: Iterable<string>): Promise<void> {
    const known = this.#columns.get(table) ?? new Set();
    const knownCount = known.size;
    for (const name of names) known.add(name);
    if (known.size === knownCount) return;
    this.#columns.set(table, known);
    await this.#save();
  }

  async forget(table: string): Promise<void> {
    if (this.#columns.delete(table)) await this.#save();
  }

  /** One writing at a time, and one more for all that changed meanwhile. */
  async #save(): Promise<void> {
    this.#isDirty = true;
    this.#saving ??= this.#writeAll().finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  async #writeAll(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      const entries = [...this.#columns].map(([table, names]) => [table, [...names]]);
      await writeDocument(this.#path, documentName, entries).catch((error: unknown) => {
        this.#warn(`the order of columns is not saved: ${String(error)}`);
      });
    }
  }
}

const none: ReadonlySet<string> = new Set();
const documentName = "the order of columns";

/** Throws where it is something else. */
export function checkOrder(value: unknown): Map<string, Set<string>> {
  const entries = value as readonly (readonly [string, readonly string[]])[];
  return new Map(entries.map(([table, names]) => [table, new Set(names)]));
}
