import { bigintAsText, printCompletenessLine, type Result, type ResultValue } from "@hadal/sdk";

/** A result as CSV, as the server prints it: the completeness is a comment behind the rows. */
export function printCsv({ columns, rows, completeness, asOf }: Result): string {
  const head = columns.map(({ name }) => quote(name)).join(",");
  const lines = rows.map((row) => columns.map((_, i) => printCell(row[i] ?? null)).join(","));
  const comments = [
    `# completeness: ${printCompletenessLine(completeness)}`,
    `# as of ${new Date(asOf).toISOString()}`,
  ];
  return [head, ...lines, ...comments].map((line) => `${line}\r\n`).join("");
}

function printCell(value: ResultValue): string {
  if (value === null) return "";
  if (typeof value === "string") return quote(value);
  return typeof value === "object" ? quote(JSON.stringify(value, bigintAsText)) : String(value);
}

/** An empty text is quoted: without quotes it is missing. */
function quote(text: string): string {
  return text === "" || /[",\r\n#]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
