import { HadalError } from "@hadal/sdk";

/** What is wrong, by the field of the form; `""`: with none of them alone. */
export type Faults = Readonly<Record<string, string>>;

/** The first fault of each field, wherever within the field it is. */
export function faultsOfError(error: unknown): Faults {
  if (!(error instanceof HadalError)) throw error;
  if (error.errors.length === 0) return { "": error.message };
  const found = error.errors.map(({ path = "", detail }) => {
    // In the answer of the server the form is the document's body.
    const field = /^(?:body\.?)?([A-Za-z]*)/.exec(path)?.[1] ?? "";
    return [field, detail] as const;
  });
  return Object.fromEntries(found.reverse());
}
