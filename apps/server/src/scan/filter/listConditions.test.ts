import type { FilterOperator } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testList } from "../../../test/oracle/naive/naiveListFilter.js";
import type { ListOperator } from "../../base/text/listOperator.js";
import { createListMatch } from "../../base/text/matchList.js";
import { ListDictionary } from "../../column/listDictionary.js";
import {
  conditionOnList,
  type ListCondition,
  listMatchOf,
} from "../../plan/filter/listCondition.js";
import { createStringTest } from "../pattern/stringTest.js";

const operators: readonly ListOperator[] = [
  "includes any",
  "includes all",
  "includes none",
  "is empty",
  "starts with",
  "ends with",
  "contains sequence",
];
const element = fc.constantFrom("a", "b", "c", "");
const list = fc.array(element, { maxLength: 6 });
const column = { name: "stack", type: "vector", decimals: 0 } as const;

function conditionOf(op: ListOperator, terms: readonly string[]): ListCondition {
  return conditionOnList(column, op, terms, { negated: false });
}

test("S56 S57: every operator on lists as codes answers as it does on strings", () => {
  fc.assert(
    fc.property(fc.constantFrom(...operators), list, list, (op, value, terms) => {
      const dictionary = new ListDictionary();
      const code = dictionary.internList(value);
      const condition = conditionOf(op, terms);
      const codeOf = (text: string) => dictionary.elements.codeOf(text) || null;
      const holds = createListMatch(listMatchOf(condition), codeOf)(dictionary.listOf(code));
      expect(holds !== condition.negated).toBe(testList(op as FilterOperator, value, terms));
    }),
    { numRuns: 2000 },
  );
});

test("S11: a string stored before the column held lists is a list of itself", () => {
  fc.assert(
    fc.property(fc.constantFrom(...operators), element, list, (op, value, terms) => {
      const condition = conditionOf(op, terms);
      const holds = createStringTest({ kind: "list", test: listMatchOf(condition) })(value);
      expect(holds !== condition.negated).toBe(testList(op as FilterOperator, [value], terms));
    }),
    { numRuns: 1000 },
  );
});
