import { createClient, type TableInfo } from "@hadal/sdk";
import { Command } from "commander";
import { printLines } from "./printLines.js";
import { printBytes, printTime } from "./printNumber.js";
import type { Terminal } from "./terminal.js";
import { printTextTable } from "./textTable.js";

export function tablesCommand(terminal: Terminal): Command {
  return new Command("tables")
    .description("list the tables")
    .option("--json", "print JSON")
    .action(async ({ url, json }: { url: string; json?: boolean }) => {
      const client = createClient({ url });
      const tables = await client.tables();
      client.close();
      await printLines(json ? [JSON.stringify(tables)] : printTables(tables), terminal);
    });
}

function printTables(tables: readonly TableInfo[]): Iterable<string> {
  if (tables.length === 0) return ["No tables yet: the first row makes one (hadal ingest)."];
  return printTextTable(
    [
      { name: "table", align: "left" },
      { name: "rows", align: "right" },
      { name: "memory", align: "right" },
      { name: "from", align: "left" },
      { name: "to", align: "left" },
    ],
    tables.map((table) => [
      table.name,
      String(table.rows),
      printBytes(table.bytes),
      printTime(table.fromMs),
      printTime(table.toMs),
    ]),
    terminalCut,
  );
}

/** Names of tables are never cut: they are there to be copied. */
const terminalCut = "whole";
