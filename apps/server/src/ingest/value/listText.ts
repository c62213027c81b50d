import { compareCodePoints } from "../../base/text/codePointOrder.js";

/** A list of strings and whether it was sent as a set. */
export interface StringList {
  readonly type: "set" | "vector";
  readonly elements: readonly string[];
}

/**
 * The list of strings, or set of them as an object `{"$set": […]}`, that a JSON text is; null when
 * it is none.
 */
export function parseList(text: string): StringList | null {
  try {
    const parsed = JSON.parse(text) as unknown[] | { readonly $set: unknown[] };
    const elements = Array.isArray(parsed) ? parsed : parsed.$set;
    if (!elements.every(isString)) return null;
    return { type: Array.isArray(parsed) ? "vector" : "set", elements };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The same of a text whose elements may be of any kind, and whose numbers print as they are
 * written. Throws what JSON.parse throws.
 */
export function parseElements(text: string): StringList {
  const parsed = JSON.parse(text) as unknown[] | { readonly $set: unknown[] };
  const elements = Array.isArray(parsed) ? parsed : parsed.$set;
  return { type: Array.isArray(parsed) ? "vector" : "set", elements: elements.map(printElement) };
}

function printElement(element: unknown): string {
  return typeof element === "object" ? JSON.stringify(element) : String(element);
}

/** A list as it is stored: those of a set sorted by code point, each once. */
export function printList(type: StringList["type"], strings: readonly string[]): string {
  return JSON.stringify(type === "set" ? [...new Set(strings)].sort(compareCodePoints) : strings);
}

export const isString = (value: unknown): value is string => typeof value === "string";
