import type { Calculation } from "../plan/calculation.js";
import type { LinearEstimate } from "./linearEstimate.js";

/** A number and how it follows the aggregates that it is made of: the change of each by 1 changes it by so much. */
interface Gradient {
  readonly value: number;
  readonly slopes: ReadonlyMap<number, number>;
}

/** A divisor that may be off by more than this share of it makes no line of what is divided by it. */
const divisorErrorMax = 0.5;

/** Aggregates that a calculation reads. */
export function aggregatesOfCalculation(term: Calculation): readonly number[] {
  if (term.kind === "aggregate") return [term.index];
  if (term.kind !== "call") return [];
  return [...new Set(term.args.flatMap(aggregatesOfCalculation))];
}

/**
 * What a calculation comes to in the full answer, by the delta method; null where no honest error can be told. Errors of
 * missing leaves are known leaf by leaf, so that aggregates may err together; errors of sample rates are known of each
 * aggregate alone, so that one of them at most may have one. `errorOf` tells how far a number may be off at most.
 */
export function estimateCalculation(
  term: Calculation,
  estimateOf: (aggregate: number) => LinearEstimate | null,
  errorOf: (estimate: LinearEstimate) => number | null,
): LinearEstimate | null {
  const found = new Map<number, LinearEstimate>();
  for (const index of aggregatesOfCalculation(term)) {
    const estimate = estimateOf(index);
    if (estimate === null) return null;
    found.set(index, estimate);
  }
  if ([...found.values()].filter(({ variance }) => variance > 0).length > 1) return null;
  const along = (gradient: Gradient): LinearEstimate => follow(gradient, found);
  const gradient = differentiate(term, found, (divisor) => {
    const error = errorOf(along(divisor));
    return error !== null && error <= divisorErrorMax * Math.abs(divisor.value);
  });
  return gradient === null ? null : along(gradient);
}

function follow(
  { value, slopes }: Gradient,
  estimates: ReadonlyMap<number, LinearEstimate>,
): LinearEstimate {
  const terms = [...slopes].map(([index, slope]) => [slope, estimates.get(index)!] as const);
  const sum = (of: (slope: number, estimate: LinearEstimate) => number): number =>
    terms.reduce((total, [slope, estimate]) => total + of(slope, estimate), 0);
  const leaves = terms[0]?.[1].leafErrors ?? [];
  return {
    value,
    leafErrors: leaves.map((_, leaf) => sum((slope, { leafErrors }) => slope * leafErrors[leaf]!)),
    tellingLeaves: Math.min(...terms.map(([, { tellingLeaves }]) => tellingLeaves)),
    variance: sum((slope, { variance }) => slope * slope * variance),
    df: Math.min(...terms.map(([, { df, variance }]) => (variance > 0 ? df : Infinity))),
    shift: terms.length === 1 ? sum((slope, { shift }) => slope * shift) : 0,
    leastMissing: Math.abs(sum((slope, { leastMissing }) => slope * leastMissing)),
  };
}

/** Null where the calculation is no smooth function of its aggregates there. */
function differentiate(
  term: Calculation,
  estimates: ReadonlyMap<number, LinearEstimate>,
  isSure: (divisor: Gradient) => boolean,
): Gradient | null {
  if (term.kind === "aggregate") {
    return { value: estimates.get(term.index)!.value, slopes: new Map([[term.index, 1]]) };
  }
  if (term.kind === "constant") return constant(term);
  if (term.kind === "key") return null;
  const args: Gradient[] = [];
  for (const arg of term.args) {
    const gradient = differentiate(arg, estimates, isSure);
    if (gradient === null) return null;
    args.push(gradient);
  }
  const [a, b] = args as [Gradient, Gradient];
  switch (term.fn) {
    case "+":
      return weighed(a.value + b.value, 1, a, 1, b);
    case "-":
      return weighed(a.value - b.value, 1, a, -1, b);
    case "*":
      return weighed(a.value * b.value, b.value, a, a.value, b);
    case "/": {
      if (b.value === 0 || (b.slopes.size > 0 && !isSure(b))) return null;
      const ratio = a.value / b.value;
      return weighed(ratio, 1 / b.value, a, -ratio / b.value, b);
    }
    case "negate":
      return weighed(-a.value, -1, a, 0, a);
    default:
      return null;
  }
}

function constant({
  value,
  decimals,
}: Extract<Calculation, { kind: "constant" }>): Gradient | null {
  if (typeof value !== "bigint" && typeof value !== "number") return null;
  return { value: Number(value) / 10 ** decimals, slopes: new Map() };
}

/** Slopes of p · a + q · b. */
function weighed(value: number, p: number, a: Gradient, q: number, b: Gradient): Gradient {
  const slopes = new Map<number, number>();
  for (const [index, slope] of a.slopes) slopes.set(index, p * slope);
  for (const [index, slope] of b.slopes) slopes.set(index, (slopes.get(index) ?? 0) + q * slope);
  return { value, slopes };
}
