import type { Calculation, CalculationFn, CalculationType } from "../query/calculation.js";

/** A call of a calculation whose arguments are bound and whose own type is not known yet. */
export interface UnboundCall {
  readonly fn: CalculationFn;
  readonly args: readonly Calculation[];
  /** Of the call, for problems. */
  readonly path: string;
  readonly timeZone: string;
}

/** Gives a call its type. Throws a HadalError that names the path at fault. */
export type BindCall = (unbound: UnboundCall) => Calculation;

export function bound({ fn, args }: UnboundCall, type: CalculationType, decimals = 0): Calculation {
  return { kind: "call", fn, args, type, decimals };
}

export function argPath({ path }: UnboundCall, index: number): string {
  return `${path}.args[${index}]`;
}

export function isMissing(term: Calculation): boolean {
  return term.kind === "constant" && term.value === null;
}
