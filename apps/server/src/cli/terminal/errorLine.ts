import { HadalError, type ProblemPart } from "@hadal/sdk";

/** How many parts of a problem fit on a line that is still read. */
const partsMax = 5;

const systemErrors: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "this is a folder"],
  ["ENOTDIR", "a part of the path is a file"],
  ["EACCES", "access is denied"],
  ["EPERM", "access is denied"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EADDRINUSE", "the port is taken; choose another with --port"],
  ["EADDRNOTAVAIL", "this machine has no such address"],
]);

/** Any error as one line for a person; never a stack trace. */
export function printError(error: unknown): string {
  if (error instanceof HadalError) return oneLine(printProblem(error) + adviceOf(error));
  if (!(error instanceof Error)) return oneLine(String(error));
  const { code, path, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  const text = code === undefined ? undefined : systemErrors.get(code);
  const place = path ?? (address === undefined ? undefined : `${address}:${port}`);
  if (text === undefined || place === undefined) return oneLine(error.message);
  return oneLine(`${place}: ${text}.`);
}

function adviceOf({ code }: HadalError): string {
  return code === "unauthenticated" ? " See hadal login; HADAL_TOKEN wins over it." : "";
}

function printProblem(error: HadalError): string {
  const { errors } = error;
  if (errors.length === 0) return error.message;
  const parts = errors.slice(0, partsMax).map((part) => {
    const place = part.path ?? placeOf(part);
    // Some details begin with what they are about.
    return place === "" || part.detail.startsWith(place) ? part.detail : `${place}: ${part.detail}`;
  });
  const more = errors.length > partsMax ? ` (and ${errors.length - partsMax} more)` : "";
  return parts.join(" ") + more;
}

function placeOf({ line, column }: ProblemPart): string {
  if (line === undefined) return "";
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
}

function oneLine(text: string): string {
  return escapeControls(text.replace(/\s*\n\s*/g, " "));
}

/** Control characters would move the cursor or colour the terminal of who reads strangers' rows. */
export function escapeControls(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
