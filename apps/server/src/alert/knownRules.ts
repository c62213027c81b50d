import { HadalError, type SavedDocument } from "@hadal/sdk";
import { checkAlertRule } from "@hadal/sdk/checks";
import { listRows } from "../registry/document/documentRows.js";
import type { Registry } from "../registry/registry.js";
import { fullRule } from "./rule/fullRule.js";
import type { NamedRule } from "./schedule/messageOf.js";

type RuleDocument = Pick<SavedDocument, "id" | "title" | "version" | "body">;

/** The rules that there are, in memory. */
export class KnownRules {
  #saved: readonly NamedRule[] = [];
  readonly #files: () => ReadonlyMap<string, SavedDocument>;
  #read: ReadonlyMap<string, SavedDocument> | null = null;
  #ofFiles: readonly NamedRule[] = [];

  private constructor(files: () => ReadonlyMap<string, SavedDocument>) {
    this.#files = files;
  }

  /** `files`: documents that come from files, by id. */
  static async open(
    registry: Registry,
    files: () => ReadonlyMap<string, SavedDocument>,
  ): Promise<KnownRules> {
    const known = new KnownRules(files);
    await registry.watch<readonly RuleDocument[]>("documents", {
      read: async (database) => {
        const rows = await listRows(database, "alert", ({ message }) => registry.warn(message));
        return rows.map(({ id, title, version, body }) => ({
          ...{ id, title, version },
          body: JSON.parse(body) as RuleDocument["body"],
        }));
      },
      use: (documents) => {
        known.#saved = documents.flatMap((one) => ruleOf(one, false));
      },
    });
    return known;
  }

  all(): readonly NamedRule[] {
    const files = this.#files();
    if (files !== this.#read) {
      this.#read = files;
      const own = [...files.values()].filter(({ kind }) => kind === "alert");
      this.#ofFiles = own.flatMap((one) => ruleOf(one, true));
    }
    if (this.#ofFiles.length === 0) return this.#saved;
    return [...this.#saved.filter(({ id }) => !files.has(id)), ...this.#ofFiles];
  }
}

/** None of a body that an older version saved without a check. */
export function ruleOf(
  { id, title, version, body }: RuleDocument,
  isOfFile: boolean,
): readonly NamedRule[] {
  try {
    return [{ id, title, version, isOfFile, rule: fullRule(checkAlertRule(body)) }];
  } catch (error) {
    if (error instanceof HadalError) return [];
    throw error;
  }
}
