import { readFile, rename } from "node:fs/promises";

import { crc32 } from "node:zlib";
import { HadalError } from "@hadal/sdk";
import { writeFileDurably } from "./durableFile.js";
import { systemErrorText } from "./systemErrorText.js";

/**
 * A document in a file, written atomically:
 *
 *   | "hadal-document-1 " 17 | CRC-32 of what follows the line, hex 8 | "\n" | JSON … |
 *
 * Files from before checksums begin with the JSON itself.
 */
const header = "hadal-document-1 ";
const headerUnits = header.length + 9;

export interface DocumentKind<Document> {
  /** For people: "the settings of tables". */
  readonly name: string;
  /** Throws where the JSON is not such a document. */
  readonly check: (value: unknown) => Document;
  /** Called with a file that was damaged and is renamed. */
  readonly warn: (text: string) => void;
}

/** null: there is no such file, or it cannot be read; a damaged one is renamed. */
export async function readDocument<Document>(
  path: string,
  { name, check, warn }: DocumentKind<Document>,
): Promise<Document | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    return parseDocument(text, check);
  } catch (error) {
    const renamed = `${path}.damaged-${Date.now()}`;
    await rename(path, renamed);
    const reason = error instanceof Error ? error.message : String(error);
    warn(
      `${name} cannot be read (${reason}); Hadal goes on without, the file is kept as ${renamed}`,
    );
    return null;
  }
}

/**
 * Resolves when the document is on the disk; only then may it be used. Rejects with `not-saved`, and the previous document
 * stays.
 */
export async function writeDocument(path: string, name: string, document: unknown): Promise<void> {
  try {
    await writeFileDurably(path, printDocument(document));
  } catch (error) {
    throw new HadalError("not-saved", { name, detail: systemErrorText(error) });
  }
}

export function printDocument(document: unknown): Buffer {
  const json = JSON.stringify(document);
  return Buffer.from(`${header}${checksum(json)}\n${json}`);
}

/** Throws if the text is not such a document or is incomplete. */
export function parseDocument<Document>(
  text: string,
  check: DocumentKind<Document>["check"],
): Document {
  return check(JSON.parse(jsonOf(text)));
}

function jsonOf(text: string): string {
  if (!text.startsWith(header)) return text;
  const json = text.slice(headerUnits);
  if (text.slice(header.length, headerUnits) !== `${checksum(json)}\n`) {
    throw new Error("its checksum is wrong");
  }
  return json;
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");
