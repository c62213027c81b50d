import { sampleRateColumn, sampleRateMax } from "@hadal/sdk";
import { NumberText } from "./numberText.js";
import type { PathNode } from "./rowPath.js";
import { quote, RowRejected } from "./rowRejected.js";

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
      throw new RowRejected(
        "list-invalid",
        `${nameOf(node)}[${index}] is ${quote(element)}; the elements of a list are strings, numbers or booleans.`,
      );
  }
}

export function checkUnicode(text: string, node: PathNode): void {
  // Node.js 20 has it; the ES2023 types do not.
  if ((text as string & { isWellFormed(): boolean }).isWellFormed()) return;
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
