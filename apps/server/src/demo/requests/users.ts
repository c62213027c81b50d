import { countries } from "./countries.js";
import { mix, type Random } from "./random.js";

const userCount = 200_000;
/** Coprime to the number of users: spreads a country's users over all ids. */
const spread = 48_271;

const devices: readonly [string, number][] = [
  ["Windows", 20],
  ["iPhone", 22],
  ["Galaxy", 17],
  ["Mac", 10],
  ["Xiaomi", 10],
  ["Pixel", 7],
  ["iPad", 5],
  ["Linux", 4],
  ["Chromebook", 3],
  ["Smart TV", 2],
];
export const deviceNames: readonly string[] = devices.map(([device]) => device);
const deviceSlots = devices.flatMap(([, weight], device) => new Array<number>(weight).fill(device));

const featureShares: readonly [string, number][] = [
  ["new-checkout", 0.3],
  ["dark-mode", 0.35],
  ["fast-search", 0.5],
  ["image-cdn", 0.6],
  ["one-click", 0.12],
  ["beta", 0.05],
  ["prefetch", 0.25],
  ["lite-mode", 0.08],
];

/** First user of each country, and one past the last; a country has users by its weight. */
const firstUser = cumulate(countries.map(({ weight }) => Math.round(weight * userCount)));

/** Someone of this country; a few ask far more often than most. */
export function drawUser(random: Random, countryIndex: number): number {
  const first = firstUser[countryIndex]!;
  const count = firstUser[countryIndex + 1]! - first;
  const u = random.next();
  return first + Math.floor(count * u * u);
}

// What stays with a user from request to request.

export const userIdOf = (user: number): number => ((user * spread) % userCount) + 1;
/** In [0, 1): who is below the share of a release has it already. */
export const eagernessOf = (user: number): number => mix(user, 1) / 4_294_967_296;
/** One of {@link deviceNames}. */
export const deviceOf = (user: number): number => deviceSlots[mix(user, 2) % deviceSlots.length]!;
/** One of {@link featureSets}. */
export const featureSetOf = (user: number): number => mix(user, 3) % featureSets.length;

/** The combinations of switched-on features that users have; the first is the empty set. */
export const featureSets: readonly (readonly string[])[] = Array.from({ length: 48 }, (_, set) =>
  set === 0
    ? []
    : featureShares
        .filter(([, share], index) => mix(set, 100 + index) / 4_294_967_296 < share)
        .map(([feature]) => feature),
);

function cumulate(counts: readonly number[]): number[] {
  const ends = [0];
  for (const count of counts) ends.push(ends[ends.length - 1]! + count);
  return ends;
}
