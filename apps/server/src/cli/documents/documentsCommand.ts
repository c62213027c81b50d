import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DocumentDraft, type HadalClient, HadalError, type SavedDocument } from "@hadal/sdk";
import { Command } from "commander";
import {
  nameDocumentFile,
  parseDocumentFile,
  parseImportFile,
  printDocumentFile,
} from "../../registry/document/documentFile.js";
import { withClient } from "../connect/withClient.js";
import { exitCodes } from "../terminal/exitCode.js";
import type { Terminal } from "../terminal/terminal.js";

interface Options {
  readonly url: string;
}

export function documentsCommand(terminal: Terminal, exitWith: (code: number) => void): Command {
  const command = new Command("documents").description(
    "saved queries, dashboards and the like as JSON files",
  );
  command
    .command("export")
    .description(
      "write each document to a file; files of documents that were exported keep their names",
    )
    .argument("<folder>", "made where it is missing")
    .action(async (folder: string, _options: object, self: Command) => {
      await withClient(self.optsWithGlobals<Options>().url, async (client) => {
        const { written, unchanged } = await exportDocuments(client, folder);
        await terminal.write(`${written} written, ${unchanged} unchanged in ${folder}\n`);
      });
    });
  command
    .command("import")
    .description(
      "save each file's document; one with the id of a saved document becomes its next version. A file may be a dashboard that Grafana exported: what has no equivalent is listed",
    )
    .argument("<folder>")
    .action(async (folder: string, _options: object, self: Command) => {
      await withClient(self.optsWithGlobals<Options>().url, async (client) => {
        const done = { created: 0, changed: 0, unchanged: 0, failed: 0 };
        for (const name of await jsonFiles(folder)) {
          try {
            const { outcome, gaps } = await importDocument(client, join(folder, name));
            done[outcome]++;
            await terminal.write(gapLines(join(folder, name), gaps));
          } catch (error) {
            if (!(error instanceof HadalError) || error.retry) throw error;
            done.failed++;
            await terminal.writeError(`hadal: ${join(folder, name)}: ${error.message}\n`);
          }
        }
        const { created, changed, unchanged, failed } = done;
        const failures = failed === 0 ? "" : `, ${failed} failed`;
        await terminal.write(
          `${created} created, ${changed} changed, ${unchanged} unchanged${failures}\n`,
        );
        if (failed > 0) exitWith(exitCodes.failed);
      });
    });
  return command;
}

async function exportDocuments(
  client: HadalClient,
  folder: string,
): Promise<{ written: number; unchanged: number }> {
  await mkdir(folder, { recursive: true });
  const names = await namesById(folder);
  const taken = new Set(await jsonFiles(folder));
  const summaries = await client.documents.list();
  const done = { written: 0, unchanged: 0 };
  // By id: which of two documents of one title has the plain name does not depend on the last change.
  for (const { id } of [...summaries].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const document = await client.documents.find(id);
    const name = names.get(id) ?? nameDocumentFile(document, taken);
    taken.add(name);
    done[await writeIfChanged(join(folder, name), document)]++;
  }
  return done;
}

async function writeIfChanged(
  path: string,
  document: SavedDocument,
): Promise<"written" | "unchanged"> {
  const text = printDocumentFile(document);
  if ((await readFile(path, "utf8").catch(() => null)) === text) return "unchanged";
  await writeFile(path, text);
  return "written";
}

/** Of one file; more are counted. */
const gapsMax = 20;

function gapLines(path: string, gaps: readonly string[]): string {
  const lines = gaps.slice(0, gapsMax).map((gap) => `${path}: ${gap}\n`);
  const more = gaps.length - gapsMax;
  return `${lines.join("")}${more > 0 ? `${path}: and ${more} more.\n` : ""}`;
}

interface Imported {
  readonly outcome: "created" | "changed" | "unchanged";
  readonly gaps: readonly string[];
}

async function importDocument(client: HadalClient, path: string): Promise<Imported> {
  const { draft, gaps } = parseImportFile(await readFile(path, "utf8"));
  const { outcome, saved } = await saveDraft(client, draft);
  // With its id the file is the same document when it is imported again. Grafana's stays as it is.
  if (draft.id === undefined && saved !== null) await writeFile(path, printDocumentFile(saved));
  return { outcome, gaps };
}

interface SavedDraft {
  readonly outcome: Imported["outcome"];
  /** null: it was saved before, as it is. */
  readonly saved: SavedDocument | null;
}

async function saveDraft(client: HadalClient, draft: DocumentDraft): Promise<SavedDraft> {
  const { id } = draft;
  const before = id === undefined ? null : await findDocument(client, id);
  if (id === undefined || before === null) {
    return { outcome: "created", saved: await client.documents.create(draft) };
  }
  if (printDocumentFile(before) === printDocumentFile({ ...before, ...draft })) {
    return { outcome: "unchanged", saved: null };
  }
  const { version } = before;
  return { outcome: "changed", saved: await client.documents.save(id, draft, { version }) };
}

async function findDocument(client: HadalClient, id: string): Promise<SavedDocument | null> {
  try {
    return await client.documents.find(id);
  } catch (error) {
    if (error instanceof HadalError && error.code === "unknown-document") return null;
    throw error;
  }
}

/** The files of documents that were exported before; files that hold something else are left alone. */
async function namesById(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const name of await jsonFiles(folder)) {
    try {
      const { id } = parseDocumentFile(await readFile(join(folder, name), "utf8"));
      if (id !== undefined) names.set(id, name);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
    }
  }
  return names;
}

const jsonFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
