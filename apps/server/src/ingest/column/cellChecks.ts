import { sampleRateColumn, sampleRateMax } from "@hadal/sdk";
import { isWellFormed } from "../../base/text/wellFormed.js";
import { jsonDepthMax } from "../value/exactJson.js";
import { NumberText } from "../value/numberText.js";
import { quote, RowRejected } from "../value/rowRejected.js";
import type { PathNode } from "./rowPath.js";

/** The text of a list's element. */
export function elementText(element: unknown, index: number, node: PathNode): string {
  switch (typeof element) {
    case "string":
      checkUnicode(element, node);
      return element;
    case "number":
      if (!Number.isFinite(element)) {
        throw new RowRejected("number-out-of-range", `${nameOf(node)}[${index}] is out of range.`);
      }
      return String(element);
    case "boolean":
      return String(element);
    default:
      if (element instanceof NumberText) return element.text;
      // A value that is no scalar is kept as its JSON text: nothing is lost, and `contains` finds
      // its parts.
      return printJson(element, node, 1);
  }
}

/** Compact JSON, with numbers digit by digit as they came. */
function printJson(value: unknown, node: PathNode, depth: number): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value === "string") checkUnicode(value, node);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth > jsonDepthMax) {
    const limit = `${jsonDepthMax} levels (jsonDepthMax)`;
    throw new RowRejected("too-deep", `${nameOf(node)} is nested deeper than ${limit}.`);
  }
  const print = (member: unknown): string => printJson(member, node, depth + 1);
  if (Array.isArray(value)) return `[${value.map(print).join(",")}]`;
  const members = Object.entries(value).map(([name, member]) => {
    checkUnicode(name, node);
    return `${JSON.stringify(name)}:${print(member)}`;
  });
  return `{${members.join(",")}}`;
}

export function checkUnicode(text: string, node: PathNode): void {
  if (isWellFormed(text)) return;
  throw new RowRejected("invalid-unicode", `${nameOf(node)} holds half a surrogate pair.`);
}

export function checkSampleRate(value: unknown): void {
  if (value === null) return;
  const x = value instanceof NumberText ? Number(value.text) : value;
  if (Number.isInteger(x) && (x as number) >= 1 && (x as number) <= sampleRateMax) return;
  throw new RowRejected(
    "sample-rate-invalid",
    `\`${sampleRateColumn}\` is ${quote(value)}; it must be an integer from 1 to ${sampleRateMax}.`,
  );
}

export function nameOf(node: PathNode): string {
  return `\`${node.name}\``;
}
