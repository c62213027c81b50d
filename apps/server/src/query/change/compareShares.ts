import { normal95 } from "../../aggregate/estimate/studentT.js";
import { binomialTail, normalTail } from "./tailProbability.js";

/** Rows of one set: how many, the sum of their weights, and of the weights' squares. */
export interface Sample {
  readonly rows: number;
  readonly weight: number;
  readonly squares: number;
}

/** One set, and those of its rows that have some value. */
export interface Part {
  readonly of: Sample;
  readonly hits: Sample;
}

export interface ShareComparison {
  /** Share of A minus share of B. */
  readonly difference: number;
  readonly interval: readonly [number, number];
  /** The probability of a difference as large by chance; null: too few rows. */
  readonly p: number | null;
}

export const nothing: Sample = { rows: 0, weight: 0, squares: 0 };

export function addSamples(a: Sample, b: Sample): Sample {
  return {
    rows: a.rows + b.rows,
    weight: a.weight + b.weight,
    squares: a.squares + b.squares,
  };
}

/** The number of rows of equal weight with the same precision (Kish). */
export function effectiveRows({ weight, squares }: Sample): number {
  return squares === 0 ? 0 : (weight * weight) / squares;
}

export function shareOf({ of, hits }: Part): number {
  return of.weight === 0 ? 0 : Math.min(1, hits.weight / of.weight);
}

/** Of fewer rows in both sets together nothing is tested: this is decided without a look at which set they are in. */
const testedRowsMin = 5;
/** A smaller part of a sum of squares beyond 2^53 is lost in how that was rounded. */
const squaresShareMin = 1e-9;
/** With so large a variance the binomial distribution is the normal one. */
const normalVarianceMin = 10_000;

/**
 * Compares the shares that a value has in two sets of weighted rows. Under the hypothesis that rows were dealt to the sets at
 * random, two tests are made, and the one that is less impressed counts: of the difference as a normal deviate, whose variance
 * respects how the weights of the rows with the value and of the others spread; and of the rows with the value (or of those
 * without, where they are fewer) as draws of a binomial distribution, which is right where they are few.
 */
export function compareShares(a: Part, b: Part): ShareComparison {
  const [shareA, shareB] = [shareOf(a), shareOf(b)];
  const difference = shareA - shareB;
  const all = addSamples(a.of, b.of);
  const hits = addSamples(a.hits, b.hits);
  const others = subtract(all, hits);
  // Weights per event: the mean of the weights as events meet them.
  const perHit = hits.weight === 0 ? 1 : hits.squares / hits.weight;
  const perOther = others.weight <= 0 ? 1 : others.squares / others.weight;
  if (a.of.weight === 0 || b.of.weight === 0) return { difference, interval: [-1, 1], p: null };
  const margin =
    normal95 * Math.sqrt(ownVariance(a, perHit, perOther) + ownVariance(b, perHit, perOther));
  const interval = [Math.max(-1, difference - margin), Math.min(1, difference + margin)] as const;
  const fewest = Math.min(hits.weight / perHit, others.weight / perOther);
  if (!(fewest >= testedRowsMin)) return { difference, interval, p: null };
  // What is left of rows that weigh billions says nothing of how the others' weights spread.
  const isRounded = all.squares > Number.MAX_SAFE_INTEGER;
  if (isRounded && others.squares < all.squares * squaresShareMin) {
    return { difference, interval, p: null };
  }
  const pooled = hits.weight / all.weight;
  const perRow = pooled * (1 - pooled) * ((1 - pooled) * perHit + pooled * perOther);
  const deviation = difference / Math.sqrt(perRow / a.of.weight + perRow / b.of.weight);
  const normal = normalTail(deviation);
  const chance = a.of.weight / all.weight;
  const draws = pooled <= 0.5 ? hits.weight / perHit : others.weight / perOther;
  if (draws * chance * (1 - chance) > normalVarianceMin) return { difference, interval, p: normal };
  const drawn = pooled <= 0.5 ? a.hits.weight / perHit : (a.of.weight - a.hits.weight) / perOther;
  return { difference, interval, p: Math.max(normal, binomialTail(drawn, draws, chance)) };
}

/** Variance of one set's share; as if one more row had the value and one more had not, lest a share of 0 or 1 seem certain (Agresti and Caffo). */
function ownVariance({ of, hits }: Part, perHit: number, perOther: number): number {
  const rows = effectiveRows(of);
  const seen = of.weight === 0 ? 0 : (hits.weight / of.weight) * rows;
  const share = (seen + 1) / (rows + 2);
  return (share * (1 - share) * ((1 - share) * perHit + share * perOther)) / of.weight;
}

function subtract(all: Sample, part: Sample): Sample {
  return {
    rows: Math.max(0, all.rows - part.rows),
    weight: Math.max(0, all.weight - part.weight),
    squares: Math.max(0, all.squares - part.squares),
  };
}

/** How closely having the value goes with being in set A, -1 to 1: the correlation of both. */
export function association(a: Part, b: Part): number {
  const all = addSamples(a.of, b.of).weight;
  const hits = addSamples(a.hits, b.hits).weight;
  if (all === 0 || hits === 0 || hits >= all) return 0;
  const inA = a.of.weight / all;
  const pooled = hits / all;
  return (
    ((shareOf(a) - shareOf(b)) * Math.sqrt(inA * (1 - inA))) / Math.sqrt(pooled * (1 - pooled))
  );
}
