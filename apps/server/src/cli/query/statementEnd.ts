/** Quoted texts and names, and comments: a semicolon within them ends nothing. */
const quoted =
  /'[^']*(?:''[^']*)*(?:'|$)|"[^"]*(?:""[^"]*)*(?:"|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Whether the lines so far are a whole query: the last sign of them is a semicolon. */
export function isStatement(text: string): boolean {
  return text
    .replace(quoted, (part) => (/^(--|\/\*)/.test(part) ? " " : "''"))
    .trimEnd()
    .endsWith(";");
}

/** Whether the lines so far are blank or comments. */
export function isBlank(text: string): boolean {
  return text.replace(quoted, (part) => (/^(--|\/\*)/.test(part) ? " " : part)).trim() === "";
}
