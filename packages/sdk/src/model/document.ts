/** What people save and share. Functions are documents, too, with separate routes. */
export const documentKinds = ["query", "dashboard", "alert", "annotation", "embed"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** What one writes of a document. */
export interface DocumentDraft {
  /** Of a new document, such as one from another server; left out: one is made up. */
  readonly id?: string;
  readonly kind: DocumentKind;
  readonly title: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A document without its body, as lists have it. */
export interface DocumentSummary {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly title: string;
  /** Counts from 1; every save makes the next one. */
  readonly version: number;
  readonly createdMs: number;
  /** Name of the user; null without sign-in. */
  readonly createdBy: string | null;
  readonly changedMs: number;
  readonly changedBy: string | null;
  /** The file that it comes from, on the server: it is changed there. */
  readonly file?: string;
}

export interface SavedDocument extends DocumentSummary {
  readonly body: DocumentDraft["body"];
}

/** A document as it was after one save. */
export interface DocumentVersion {
  readonly version: number;
  readonly title: string;
  readonly savedMs: number;
  readonly savedBy: string | null;
}

export interface SavedVersion extends DocumentVersion {
  readonly body: DocumentDraft["body"];
}

export const documentTitleMax = 200;
/** Of a body as JSON, in bytes. */
export const documentBytesMax = 1_000_000;
