import { detectPattern } from "./logPattern.js";
import { type OtlpSignal, otlpSignalOfText } from "./otlpFile.js";

/** Formats of text: what may be chosen where the detected one is wrong. */
export type TextFormat =
  | "ndjson"
  | "json"
  | "csv"
  | "raw"
  | "folded"
  | "cpuprofile"
  | `otlp-${OtlpSignal}`;

/** Enough to tell formats apart. */
const linesLooked = 20;

const profileStart = /^\{\s*"(nodes|startTime|endTime|samples|timeDeltas)"\s*:/;
/** `main;render;paint 42`, or a stack of one frame. */
const foldedLine = /^[^\s,"][^,"]* \d+$/;

/** The format by the first lines, and by the name where they are ambiguous. */
export function detectFormat(text: string, fileName: string): TextFormat {
  const name = fileName.toLowerCase().replace(/\.(gz|zst)$/, "");
  const start = text.trimStart();
  if (start.startsWith("{") && (name.endsWith(".cpuprofile") || profileStart.test(start)))
    return "cpuprofile";
  const signal = otlpSignalOfText(start);
  if (signal !== null) return `otlp-${signal}`;
  // The time of Apache's error log is in brackets, too.
  if (/^\[(?![A-Z][a-z]{2} )/.test(start)) return "json";
  if (start.startsWith("{")) return jsonFormatOf(start);
  const lines = firstLines(start);
  const isFolded = lines.every((line) => foldedLine.test(line));
  const hasStacks = name.endsWith(".folded") || lines.some((line) => line.includes(";"));
  if (isFolded && hasStacks) return "folded";
  return detectPattern(lines) !== null || name.endsWith(".log") ? "raw" : "csv";
}

/** An object over several lines is JSON; an object in the first line is JSON lines. */
function jsonFormatOf(start: string): TextFormat {
  const line = start.slice(0, Math.max(0, start.indexOf("\n")) || start.length).trim();
  return isJson(line) || line.length > 100_000 ? "ndjson" : "json";
}

export const firstLines = (text: string): readonly string[] =>
  text.split(/\r?\n/, linesLooked).filter((line) => line.trim() !== "");

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
