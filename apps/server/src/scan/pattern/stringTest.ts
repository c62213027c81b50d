import { compareCodePoints } from "../../base/text/codePointOrder.js";
import { createListMatch, type ListMatch } from "../../base/text/matchList.js";
import { createPatternTest } from "./patternTest.js";

/** A condition on one string; plain numbers and texts, so that it can be sent to a scan thread. */
export type StringTest =
  | { readonly kind: "strings"; readonly values: readonly string[] }
  | { readonly kind: "order"; readonly op: "<" | "<=" | ">" | ">="; readonly value: string }
  | { readonly kind: "contains"; readonly needle: string }
  | { readonly kind: "match"; readonly pattern: string }
  /** The string as a list of itself. */
  | { readonly kind: "list"; readonly test: ListMatch };

/**
 * Runs once per distinct value where values are coded, so a test may cost something. Patterns
 * run in linear time.
 */
export function createStringTest(test: StringTest): (value: string) => boolean {
  switch (test.kind) {
    case "strings": {
      const wanted = new Set(test.values);
      return (value) => wanted.has(value);
    }
    case "order": {
      const { op, value: bound } = test;
      if (op === "<") return (value) => compareCodePoints(value, bound) < 0;
      if (op === "<=") return (value) => compareCodePoints(value, bound) <= 0;
      if (op === ">") return (value) => compareCodePoints(value, bound) > 0;
      return (value) => compareCodePoints(value, bound) >= 0;
    }
    case "contains":
      return (value) => value.includes(test.needle);
    case "match":
      return createPatternTest(test.pattern);
    case "list": {
      const holds = createListMatch(test.test, (text) => text);
      return (value) => holds([value]);
    }
  }
}
