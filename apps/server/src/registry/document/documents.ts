import { randomUUID } from "node:crypto";
import {
  type AuditAction,
  type DocumentDraft,
  type DocumentKind,
  type DocumentSummary,
  type DocumentVersion,
  documentKinds,
  HadalError,
  type SavedDocument,
  type SavedVersion,
} from "@hadal/sdk";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { DocumentRow, DocumentVersionRow } from "../database/tables.js";
import type { Registry } from "../registry.js";
import { insertAuditEntry } from "./auditRows.js";
import {
  countRows,
  deleteDocument,
  findRow,
  findVersion,
  insertDocument,
  listSummaries,
  listVersions,
  replaceDocument,
  type SummaryRow,
} from "./documentRows.js";
import { documentTables } from "./documentTables.js";

/** They are listed whole, and searched by their titles. */
const documentsMax = 20_000;

/** Who saves, and from which version. */
export interface SaveBy {
  /** Name of the user; null where no one signs in. */
  readonly by: string | null;
  /** Of the client, for the audit log. */
  readonly address?: string | null;
  /** The version that the save began from; null: any. */
  readonly expected: number | null;
  /** What is saved with it. */
  readonly within?: SaveWithin;
}

/** Work in the transaction of a save. */
type SaveWithin = (transaction: RegistryTransaction, id: string) => Promise<void>;

/** What there is beside the registry, and who looks. */
export interface DocumentsOptions {
  /** Documents about other tables do not exist. */
  readonly isReadable?: (table: string) => boolean;
  /** Documents that come from files, by id: they cannot be changed here. */
  readonly files?: () => ReadonlyMap<string, SavedDocument>;
}

export interface DocumentFilter {
  readonly kind?: DocumentKind;
  /** Part of the title, in any case. */
  readonly text?: string;
}

/** Saved queries, dashboards and the like, with all their versions. */
export class Documents {
  readonly #registry: Registry;
  readonly #nowMs: () => number;
  readonly #isReadable: (table: string) => boolean;
  readonly #files: () => ReadonlyMap<string, SavedDocument>;

  constructor(registry: Registry, nowMs: () => number, options: DocumentsOptions = {}) {
    this.#registry = registry;
    this.#nowMs = nowMs;
    this.#isReadable = options.isReadable ?? (() => true);
    this.#files = options.files ?? (() => new Map());
  }

  /** The same for whoever may read these tables: documents about others do not exist. */
  seenBy(isReadable: (table: string) => boolean): Documents {
    return new Documents(this.#registry, this.#nowMs, { isReadable, files: this.#files });
  }

  /** The last changed first. */
  async list({ kind, text = "" }: DocumentFilter): Promise<readonly DocumentSummary[]> {
    const kinds = kind === undefined ? documentKinds : [kind];
    const rows = await this.#registry.read((database) => listSummaries(database, kinds));
    // Lower case of all of Unicode: databases differ in what they know of it.
    const wanted = fold(text);
    const isWanted = ({ title }: { readonly title: string }) => fold(title).includes(wanted);
    const files = this.#files();
    const saved = rows.filter((row) => isWanted(row) && !files.has(row.id) && this.#isSeen(row));
    const read = [...files.values()].filter(
      (document) => kinds.includes(document.kind) && isWanted(document) && this.#shows(document),
    );
    const summaries = [...saved.map(summaryOf), ...read.map(withoutBody)];
    return read.length === 0 ? summaries : summaries.sort((a, b) => b.changedMs - a.changedMs);
  }

  /** Those of one kind, with their bodies, whoever may see them: the caller shows what its reader may see. */
  async all(kind: DocumentKind): Promise<readonly SavedDocument[]> {
    const rows = await this.#registry.read((database) => listSummaries(database, [kind]));
    const files = this.#files();
    const saved = rows.filter(({ id }) => !files.has(id));
    const read = [...files.values()].filter((document) => document.kind === kind);
    return [...saved.map((row) => ({ ...summaryOf(row), body: JSON.parse(row.body) })), ...read];
  }

  /** Rejects with `unknown-document`. */
  async find(id: string): Promise<SavedDocument> {
    const read = this.#ofFile(id);
    if (read !== null) return read;
    return documentOf(await this.#registry.read((database) => this.#findPresent(database, id)));
  }

  /** With an id of its own, a document that was deleted comes back with its versions. */
  async create(
    draft: DocumentDraft,
    by: string | null,
    address: string | null = null,
    within: SaveWithin = async () => undefined,
  ): Promise<SavedDocument> {
    const { id = randomUUID() } = draft;
    this.#refuseFile(id);
    this.#checkTables(draft);
    return this.#registry.change("documents", async (transaction) => {
      const noteCreated = (): Promise<void> =>
        this.#note(transaction, { by, address }, "document.create", { id, title: draft.title });
      if ((await countRows(transaction, documentKinds)) >= documentsMax) {
        const detail = `There are ${documentsMax} documents (documentsMax): delete some first.`;
        throw new HadalError("bad-request", { detail });
      }
      const { kind } = draft;
      const save = this.#saveOf(draft, by);
      await within(transaction, id);
      const before = draft.id === undefined ? null : await findRow(transaction, id);
      if (before === null) {
        await noteCreated();
        return documentOf(await insertDocument(transaction, { id, kind, ...save }));
      }
      const isBack = before.deleted_ms !== null && before.kind === kind;
      const saved = isBack ? await replaceDocument(transaction, before, save) : null;
      if (saved === null) throw new HadalError("bad-request", { detail: `The id ${id} is taken.` });
      await noteCreated();
      return documentOf(saved);
    });
  }

  /** Rejects with `version-conflict`, which has both bodies, where another save was faster. */
  async save(id: string, draft: DocumentDraft, saveBy: SaveBy): Promise<SavedDocument> {
    const { by, expected } = saveBy;
    if (draft.id !== undefined && draft.id !== id)
      throw new HadalError("bad-request", {
        detail: `The body has the id ${draft.id}, not ${id}.`,
      });
    this.#refuseFile(id);
    this.#checkTables(draft);
    return this.#registry.change("documents", async (transaction) => {
      const before = await this.#findPresent(transaction, id);
      if (before.kind !== draft.kind) {
        const detail = `${id} is a document of kind ${before.kind}, and keeps it.`;
        throw new HadalError("bad-request", { detail });
      }
      if (expected !== null && expected !== before.version) throw conflict(before, draft, expected);
      const saved = await replaceDocument(transaction, before, this.#saveOf(draft, by));
      if (saved === null) {
        throw conflict(await this.#findPresent(transaction, id), draft, before.version);
      }
      await saveBy.within?.(transaction, id);
      await this.#note(transaction, saveBy, "document.change", saved);
      return documentOf(saved);
    });
  }

  async delete(id: string, saveBy: SaveBy): Promise<void> {
    const { by, expected } = saveBy;
    this.#refuseFile(id);
    return this.#registry.change("documents", async (transaction) => {
      const before = await this.#findPresent(transaction, id);
      const isCurrent = expected === null || expected === before.version;
      const save = { by, nowMs: this.#nowMs() };
      if (!isCurrent || !(await deleteDocument(transaction, before, save)))
        throw conflict(before, documentOf(before), expected ?? before.version);
      await this.#note(transaction, saveBy, "document.delete", before);
    });
  }

  /** The newest first. Rejects with `unknown-document`. */
  async versions(id: string): Promise<readonly DocumentVersion[]> {
    const read = this.#ofFile(id);
    if (read !== null) return [versionOfFile(read)];
    return this.#registry.read(async (database) => {
      await this.#findPresent(database, id);
      const versions = await listVersions(database, id);
      return versions.filter((row) => this.#isSeen(row)).map(versionOf);
    });
  }

  async version(id: string, version: number): Promise<SavedVersion> {
    const read = this.#ofFile(id);
    if (read?.version === version) return { ...versionOfFile(read), body: read.body };
    if (read !== null) throw new HadalError("unknown-document", { id: `${id}/${version}` });
    return this.#registry.read(async (database) => {
      await this.#findPresent(database, id);
      const row = await findVersion(database, id, version);
      if (row === null || !this.#isSeen(row))
        throw new HadalError("unknown-document", { id: `${id}/${version}` });
      return { ...versionOf(row), body: JSON.parse(row.body) };
    });
  }

  #note(
    transaction: RegistryTransaction,
    { by, address = null }: Pick<SaveBy, "by" | "address">,
    action: AuditAction,
    { id, title }: Pick<DocumentRow, "id" | "title">,
  ): Promise<void> {
    const target = `${title} (${id})`;
    return insertAuditEntry(transaction, {
      ...{ time: this.#nowMs(), who: by, action, target, address },
    });
  }

  async #findPresent(
    database: RegistryDatabase | RegistryTransaction,
    id: string,
  ): Promise<DocumentRow> {
    const row = isId(id) ? await findRow(database, id) : null;
    if (row !== null && row.deleted_ms === null && this.#isSeen(row)) return row;
    throw new HadalError("unknown-document", { id: id.slice(0, 80) });
  }

  /** Whoever may not read a table says nothing about it to those who may. */
  #checkTables({ body }: DocumentDraft): void {
    const table = [...documentTables(body)].find((one) => !this.#isReadable(one));
    if (table !== undefined) throw new HadalError("unknown-table", { table, nearest: "" });
  }

  #isSeen({ body }: Pick<DocumentRow, "body">): boolean {
    return this.#shows({ body: JSON.parse(body) });
  }

  #shows({ body }: Pick<SavedDocument, "body">): boolean {
    return [...documentTables(body)].every(this.#isReadable);
  }

  /** Null: it comes from no file. */
  #ofFile(id: string): SavedDocument | null {
    const read = this.#files().get(id);
    return read !== undefined && this.#shows(read) ? read : null;
  }

  #refuseFile(id: string): void {
    const read = this.#ofFile(id);
    if (read === null) return;
    const detail = `This document comes from the file ${read.file} (--documents): change it there.`;
    throw new HadalError("forbidden", { detail });
  }

  #saveOf({ title, body }: DocumentDraft, by: string | null) {
    return { title, body: JSON.stringify(body), by, nowMs: this.#nowMs() };
  }
}

/** Functions have ids of another form, and routes of their own. */
const isId = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id);

function summaryOf(row: SummaryRow): DocumentSummary {
  return {
    id: row.id,
    kind: row.kind as DocumentKind,
    title: row.title,
    version: row.version,
    createdMs: row.created_ms,
    createdBy: row.created_by,
    changedMs: row.changed_ms,
    changedBy: row.changed_by,
  };
}

const documentOf = (row: DocumentRow): SavedDocument => ({
  ...summaryOf(row),
  body: JSON.parse(row.body),
});

const versionOf = (row: Omit<DocumentVersionRow, "id" | "body" | "checksum">): DocumentVersion => ({
  version: row.version,
  title: row.title,
  savedMs: row.saved_ms,
  savedBy: row.saved_by,
});

function withoutBody({ body: _, ...summary }: SavedDocument): DocumentSummary {
  return summary;
}

const versionOfFile = ({ version, title, changedMs }: SavedDocument): DocumentVersion => ({
  ...{ version, title, savedMs: changedMs, savedBy: null },
});

function conflict(
  { id, version, title, body }: DocumentRow,
  draft: Pick<DocumentDraft, "title" | "body">,
  wanted: number,
): HadalError {
  return new HadalError("version-conflict", { name: id, version, wanted }, [], {
    current: { version, title, body: JSON.parse(body) },
    yours: { title: draft.title, body: draft.body },
  });
}

const fold = (text: string): string => text.normalize("NFC").toLowerCase();
