import { createHash } from "node:crypto";
import type { FullRule } from "../rule/fullRule.js";

/** Questions about the same rows and times begin together in so many parts of the interval. */
const slots = 16;

/**
 * When in its interval a rule is evaluated, in ms: rules about the same table and window begin together, so that they
 * share scans; those of different tables are spread.
 */
export function phaseOf(rule: FullRule): number {
  const { table, from, to, timeZone = "" } = rule.query;
  const { everyMs, waitMs = -1 } = rule;
  const window = hashOf([table, from, to, timeZone, everyMs, waitMs]);
  const question = hashOf([rule.query, rule.condition.op, rule.condition.against ?? ""]);
  return Math.floor((window + (question % slots) * (everyMs / slots)) % everyMs);
}

/** The last time that the rule is to be evaluated, up to now. */
export function dueAt({ everyMs }: FullRule, phaseMs: number, nowMs: number): number {
  return Math.floor((nowMs - phaseMs) / everyMs) * everyMs + phaseMs;
}

const hashOf = (value: unknown): number =>
  createHash("sha256").update(JSON.stringify(value)).digest().readUInt32BE();
