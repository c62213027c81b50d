import type { Calculation } from "../../plan/query/calculation.js";
import type { LinearEstimate } from "./linearEstimate.js";
import type { NoBar } from "./noBar.js";

/** A number and its partial derivative for each aggregate that it is calculated from (`slopes`). */
interface Gradient {
  readonly value: number;
  readonly slopes: ReadonlyMap<number, number>;
}

/** Above this relative error of the divisor, the linear approximation of the quotient is not used. */
const divisorErrorMax = 0.5;

/** Aggregates that a calculation reads. */
export function aggregatesOfCalculation(term: Calculation): readonly number[] {
  if (term.kind === "aggregate") return [term.index];
  if (term.kind !== "call") return [];
  return [...new Set(term.args.flatMap(aggregatesOfCalculation))];
}

/** Estimates of the aggregates that a calculation reads. */
export interface CalculationParts {
  readonly estimateOf: (aggregate: number) => LinearEstimate | NoBar;
  /** The quotient of two aggregates, if the covariance of their errors is known; else null. */
  readonly ratioOf: (above: number, below: number) => LinearEstimate | NoBar | null;
  /** Maximum error of a number. */
  readonly errorOf: (estimate: LinearEstimate) => number | null;
}

/**
 * Estimates a calculation in the full answer by the delta method, or returns why it has no error bar. Errors of missing
 * leaves are known per leaf, so they may be correlated. Errors of sample rates are known per aggregate (and for some
 * ratios), so at most one aggregate may have such an error.
 */
export function estimateCalculation(
  term: Calculation,
  parts: CalculationParts,
): LinearEstimate | NoBar {
  const found = new Map<number, LinearEstimate>();
  const along = (gradient: Gradient): LinearEstimate => follow(gradient, found);
  const gradient = differentiate(term, {
    estimateOf(index) {
      const estimate = parts.estimateOf(index);
      if (typeof estimate !== "string") found.set(index, estimate);
      return estimate;
    },
    ratioOf(above, below) {
      const ratio = parts.ratioOf(above, below);
      if (ratio === null || typeof ratio === "string") return ratio;
      // A key that no aggregate has; these count from 0.
      const index = -1 - found.size;
      found.set(index, ratio);
      return { value: ratio.value, slopes: new Map([[index, 1]]) };
    },
    isSure(divisor) {
      const error = parts.errorOf(along(divisor));
      return error !== null && error <= divisorErrorMax * Math.abs(divisor.value);
    },
  });
  if (typeof gradient === "string") return gradient;
  const erring = [...gradient.slopes.keys()].filter((index) => found.get(index)!.variance > 0);
  return erring.length > 1 ? "unknown" : along(gradient);
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
    evidenceLeaves: Math.min(...terms.map(([, { evidenceLeaves }]) => evidenceLeaves)),
    variance: sum((slope, { variance }) => slope * slope * variance),
    df: Math.min(...terms.map(([, { df, variance }]) => (variance > 0 ? df : Infinity))),
    shift: terms.length === 1 ? sum((slope, { shift }) => slope * shift) : 0,
    third: sum((slope, { third }) => slope ** 3 * third),
    leastMissing: Math.abs(sum((slope, { leastMissing }) => slope * leastMissing)),
  };
}

interface GradientParts extends Pick<CalculationParts, "estimateOf"> {
  readonly ratioOf: (above: number, below: number) => Gradient | NoBar | null;
  readonly isSure: (divisor: Gradient) => boolean;
}

/** Unknown where the calculation is not differentiable. */
function differentiate(term: Calculation, parts: GradientParts): Gradient | NoBar {
  if (term.kind === "aggregate") {
    const estimate = parts.estimateOf(term.index);
    if (typeof estimate === "string") return estimate;
    return { value: estimate.value, slopes: new Map([[term.index, 1]]) };
  }
  if (term.kind === "constant") return constant(term);
  if (term.kind === "key") return "unknown";
  const [above, below] = term.args;
  if (term.fn === "/" && above?.kind === "aggregate" && below?.kind === "aggregate") {
    const ratio = parts.ratioOf(above.index, below.index);
    if (ratio !== null) return ratio;
  }
  const factored = term.fn === "/" ? factorOut(term) : null;
  if (factored !== null) return differentiate(factored, parts);
  const args: Gradient[] = [];
  for (const arg of term.args) {
    const gradient = differentiate(arg, parts);
    if (typeof gradient === "string") return gradient;
    args.push(gradient);
  }
  return calculate(term.fn, args, parts.isSure);
}

type Call = Extract<Calculation, { kind: "call" }>;

/** `100 * a / b` as `100 * (a / b)`: the error of the ratio is known better than those of its parts. */
function factorOut(term: Call): Call | null {
  const [above, below] = term.args;
  if (above?.kind !== "call" || above.fn !== "*" || below?.kind !== "aggregate") return null;
  const factor = above.args.find(({ kind }) => kind === "constant");
  const counted = above.args.find(({ kind }) => kind === "aggregate");
  if (factor === undefined || counted === undefined) return null;
  return { ...term, fn: "*", args: [factor, { ...term, args: [counted, below] }] };
}

function calculate(
  fn: Extract<Calculation, { kind: "call" }>["fn"],
  args: readonly Gradient[],
  isSure: GradientParts["isSure"],
): Gradient | NoBar {
  const [a, b] = args as [Gradient, Gradient];
  switch (fn) {
    case "+":
      return weightedSum(a.value + b.value, [1, a], [1, b]);
    case "-":
      return weightedSum(a.value - b.value, [1, a], [-1, b]);
    case "*":
      return weightedSum(a.value * b.value, [b.value, a], [a.value, b]);
    case "/": {
      if (b.value === 0) return "unknown";
      if (b.slopes.size > 0 && !isSure(b)) return "unsure-base";
      const ratio = a.value / b.value;
      return weightedSum(ratio, [1 / b.value, a], [-ratio / b.value, b]);
    }
    case "negate":
      return weightedSum(-a.value, [-1, a]);
    default:
      return "unknown";
  }
}

function constant({
  value,
  decimals,
}: Extract<Calculation, { kind: "constant" }>): Gradient | NoBar {
  if (typeof value !== "bigint" && typeof value !== "number") return "unknown";
  return { value: Number(value) / 10 ** decimals, slopes: new Map() };
}

/** A number with the slopes of the sum of factor · gradient. */
function weightedSum(
  value: number,
  ...terms: readonly (readonly [factor: number, gradient: Gradient])[]
): Gradient {
  const slopes = new Map<number, number>();
  for (const [factor, gradient] of terms) {
    for (const [index, slope] of gradient.slopes) {
      slopes.set(index, (slopes.get(index) ?? 0) + factor * slope);
    }
  }
  return { value, slopes };
}
