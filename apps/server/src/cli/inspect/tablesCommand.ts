import type { TableDetail, TableInfo } from "@hadal/sdk";
import { Command } from "commander";
import { connect } from "../connect/connect.js";
import { printLines } from "../terminal/printLines.js";
import { printBytes, printCount, printRatio, printTime } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import { printTextTable } from "../terminal/textTable.js";

export function tablesCommand(terminal: Terminal): Command {
  return new Command("tables")
    .description("list the tables, or the columns of one")
    .argument("[table]", "show this table's columns and the memory they take")
    .option("--json", "print JSON")
    .action(async (name: string | undefined, { url, json }: { url: string; json?: boolean }) => {
      const client = await connect(url);
      const found = name === undefined ? await client.tables() : await client.table(name);
      client.close();
      const lines = "columns" in found ? printColumns(found) : printTables(found);
      await printLines(json ? [JSON.stringify(found)] : lines, terminal);
    });
}

/** Lines that list tables, with the memory each takes. */
export function printTables(tables: readonly TableInfo[]): Iterable<string> {
  if (tables.length === 0) return ["No tables yet: the first row makes one (hadal ingest)."];
  return printTextTable(
    [
      { name: "table", align: "left" },
      { name: "rows", align: "right" },
      { name: "memory", align: "right" },
      { name: "bytes/row", align: "right" },
      { name: "ratio", align: "right" },
      { name: "from", align: "left" },
      { name: "to", align: "left" },
    ],
    tables.map((table) => [
      table.name,
      printCount(table.rows),
      printBytes(table.bytes),
      printRatio(table.bytesPerRow),
      printRatio(table.compressionRatio),
      printTime(table.fromMs),
      printTime(table.toMs),
    ]),
    terminalCut,
  );
}

/** Lines that list the columns of a table, with the memory each takes. */
export function printColumns(table: TableDetail): Iterable<string> {
  const total = [
    "total",
    `${printCount(table.segments)} segments`,
    printCount(table.rows),
    printBytes(table.bytes),
    printRatio(table.bytesPerRow),
    printRatio(table.compressionRatio),
  ];
  const columns = table.columns.map(({ name, type, rows, bytes, compressionRatio }) => [
    name,
    type,
    printCount(rows),
    printBytes(bytes),
    printRatio(!rows || bytes === undefined ? null : bytes / rows),
    printRatio(compressionRatio),
  ]);
  return printTextTable(
    [
      { name: "column", align: "left" },
      { name: "type", align: "left" },
      { name: "rows", align: "right" },
      { name: "memory", align: "right" },
      { name: "bytes/row", align: "right" },
      { name: "ratio", align: "right" },
    ],
    [...columns, total],
    terminalCut,
  );
}

/** Names of tables are never cut: they are there to be copied. */
const terminalCut = "whole";
