import { countries } from "./countries.js";
import { shareOfService } from "./endpoints.js";
import { mix, Random } from "./random.js";
import { releasesAt } from "./releases.js";
import { activityAt } from "./rhythm.js";

/** One version of the app, in one country, makes one service slow and failing for some minutes. */
export interface Incident {
  readonly fromMs: number;
  readonly toMs: number;
  readonly service: string;
  /** Index into `countries`. */
  readonly countryIndex: number;
  readonly version: string;
  readonly cause: IncidentCause;
}

/** The stacks and messages of its requests. */
export interface IncidentCause {
  readonly status: number;
  /** Frames below those of the endpoint, outermost first. */
  readonly frames: readonly string[];
  /** `{n}` is a number that differs per request, `{country}` the country's code. */
  readonly message: string;
}

export const incidentSlowdown = 8;
export const incidentErrorShare = 0.3;
/** Clients try again, so the affected requests double. */
export const incidentTraffic = 2;

const minuteMs = 60_000;
/** One incident starts in each window, in its first minutes: two starts are 40 to 56 minutes apart, so an hour always has one. */
const windowMs = 48 * minuteMs;
const latestStartMs = 8 * minuteMs;
const lengthMinMs = 6 * minuteMs;
const lengthMaxMs = 12 * minuteMs;

/** Services that every app calls, busy enough for a few minutes to stand out. */
const candidates = ["web", "catalog", "search", "accounts", "recommendations", "cart", "images"];
/** The busiest countries of the moment. */
const candidateCountries = 6;
/** A version that fewer run would leave hardly any rows. */
const releaseShareMin = 0.22;

const causes: readonly IncidentCause[] = [
  {
    status: 504,
    frames: ["locale.resolve", "taxRates.lookup", "ratesClient.fetch", "retry.sleepBackoff"],
    message: "tax rates for {country} timed out after {n} ms, giving up on retry 5 of 5",
  },
  {
    status: 500,
    frames: ["json.decode", "legacyAddress.parse", "regex.backtrack"],
    message: "address parser gave up on a postal code of {country} after {n} steps",
  },
  {
    status: 503,
    frames: ["consent.check", "consentStore.read", "pool.acquire", "pool.waitForConnection"],
    message: "consent store {country}-{n}: no free connection in pool consent-ro",
  },
  {
    status: 502,
    frames: ["geo.nearestEdge", "edgeDirectory.refresh", "dns.resolve", "dns.retryNextServer"],
    message: "edge directory of {country} does not answer, resolver tried {n} servers",
  },
  {
    status: 500,
    frames: ["currency.format", "icu.loadLocale", "file.readSync", "lock.waitExclusive"],
    message: "locale bundle of {country} is locked by writer {n}",
  },
];

/** The incident that goes on at this event time, if there is one: a pure function of seed and time. */
export function incidentAt(seed: number, timeMs: number): Incident | undefined {
  const incident = incidentOfWindow(seed, Math.floor(timeMs / windowMs));
  return timeMs >= incident.fromMs && timeMs < incident.toMs ? incident : undefined;
}

/** All incidents that touch [fromMs, toMs), oldest first. */
export function incidentsBetween(seed: number, fromMs: number, toMs: number): Incident[] {
  const found: Incident[] = [];
  for (let window = Math.floor(fromMs / windowMs); window * windowMs < toMs; window++) {
    const incident = incidentOfWindow(seed, window);
    if (incident.toMs > fromMs && incident.fromMs < toMs) found.push(incident);
  }
  return found;
}

let cachedKey = "";
let cached: Incident | undefined;

function incidentOfWindow(seed: number, window: number): Incident {
  const key = `${seed}/${window}`;
  if (cached === undefined || cachedKey !== key) {
    cached = computeIncident(seed, window);
    cachedKey = key;
  }
  return cached;
}

function computeIncident(seed: number, window: number): Incident {
  const random = new Random(mix(seed, window));
  const second = (ms: number) => Math.floor(ms / 1_000) * 1_000;
  const fromMs = window * windowMs + second(random.next() * latestStartMs);
  const toMs = fromMs + second(lengthMinMs + random.next() * (lengthMaxMs - lengthMinMs));
  const shares = activityAt(fromMs).countryShares;
  const busiest = countries
    .map((_, index) => index)
    .sort((a, b) => shares[b]! - shares[a]!)
    .slice(0, candidateCountries);
  const spreadEnough = releasesAt(fromMs).filter(({ share }) => share >= releaseShareMin);
  return {
    fromMs,
    toMs,
    service: random.pick(candidates),
    countryIndex: random.pick(busiest),
    version: random.pick(spreadEnough).version,
    cause: random.pick(causes),
  };
}

/** Share of all requests, on a good day, that the incident hits. */
export function shareOfIncident(incident: Incident): number {
  const release = releasesAt(incident.fromMs).find(({ version }) => version === incident.version);
  const countryShare = activityAt(incident.fromMs).countryShares[incident.countryIndex]!;
  return shareOfService(incident.service) * countryShare * (release?.share ?? 0);
}
