import { type AuditAction, type AuditEntry, auditActions } from "@hadal/sdk";

export const actionText: Readonly<Record<AuditAction, string>> = {
  "sign-in": "signed in",
  "sign-in.failed": "failed to sign in",
  "sign-out": "signed out",
  "user.create": "added a user",
  "user.change": "changed a user",
  "user.delete": "removed a user",
  "token.create": "created a token",
  "token.revoke": "revoked a token",
  "embed.create": "created an embed",
  "embed.token": "renewed an embed's token",
  "embed.revoke": "revoked an embed",
  "embed-key.add": "added a key for embeds",
  "embed-key.delete": "removed a key for embeds",
  "embed-key.rotate": "replaced the key for embeds",
  "grants.change": "changed grants",
  "document.create": "saved something new",
  "document.change": "saved a version",
  "document.delete": "deleted a document",
  "function.change": "saved a function",
  "function.delete": "deleted a function",
  "table.delete": "deleted a table",
  "retention.change": "changed the retention",
  "machine.drain": "drained a machine",
  "machine.undrain": "let a machine take rows again",
  "source.change": "changed a source",
  "source.delete": "deleted a source",
  export: "exported an answer",
};

/** Actions that take something away or failed are marked. */
export const isNotable = (action: AuditAction): boolean => /failed|delete|revoke/.test(action);

export const anyAction = "any";
export const actionOptions = [
  { value: anyAction, label: "any action" },
  ...auditActions.map((value) => ({ value, label: actionText[value] })),
];

/** Time spans as the server reads them; `all` stands for no limit. */
export const allTimes = "all";
export const spanOptions = [
  { value: "-1h", label: "last hour" },
  { value: "-1d", label: "last day" },
  { value: "-7d", label: "last 7 days" },
  { value: "-30d", label: "last 30 days" },
  { value: allTimes, label: "all kept" },
];

export const entriesOf = (entries: readonly AuditEntry[], action: string): readonly AuditEntry[] =>
  action === anyAction ? entries : entries.filter((entry) => entry.action === action);

/** One entry a line. */
export const ndjsonOf = (entries: readonly AuditEntry[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
