import { countries } from "./countries.js";
import { type Endpoint, endpoints } from "./endpoints.js";
import { EvenShares, fractionOf } from "./evenShares.js";
import {
  type Incident,
  incidentAt,
  incidentErrorShare,
  incidentSlowdown,
  incidentTraffic,
  shareOfIncident,
} from "./incidents.js";
import { mix, normalAt, Random, WeightedChoice } from "./random.js";
import { releaseOf, releasesAt } from "./releases.js";
import { activityAt, seasonAt } from "./rhythm.js";
import { RowText } from "./rowText.js";
import { drawUser, eagernessOf } from "./users.js";

/** How many events one row stands for, beyond the sampling of single endpoints. */
export interface Thinning {
  readonly successes: number;
  /** Errors, and what an incident hit. */
  readonly notable: number;
}

/** Rows of a stretch of time, as they are sent: one JSON object a line, in order of time. */
export interface RequestRows {
  /** ASCII: every other character is escaped. */
  readonly ndjson: Uint8Array;
  readonly rows: number;
}

/** Every row, as a busy server would report it. */
export const unthinned: Thinning = { successes: 1, notable: 1 };

/** Requests of the invented store in a second of an average hour; about 60 rows after sampling. */
const eventsPerSecond = 230;
const healthSampleRate = 10;
const hotSampleRate = 10;
const clientErrorShare = 0.018;
const serverErrorShare = 0.004;
const secondMs = 1_000;
const rowsOfSecondMax = 8_192;
const goldenShare = (Math.sqrt(5) - 1) / 2;

const clientErrors = [400, 401, 403, 404, 404, 404, 409, 429];
const serverErrors = [500, 500, 502, 503, 504];
const successByMethod: Readonly<Record<string, number>> = { POST: 201, DELETE: 204 };

/** One way a request can go, with the sample rate of its rows. */
interface Outcome {
  readonly endpointIndex: number;
  readonly kind: "success" | "client-error" | "server-error";
  readonly sampleRate: number;
}

/** Mean rows in a second at this thinning, before rhythm and season. */
export const rowsPerSecond = (thinning: Thinning): number => {
  const choices = outcomesOf(thinning);
  return eventsPerSecond * choices.reduce((sum, { share }) => sum + share, 0);
};

/**
 * Writes requests as NDJSON. What a second holds depends on the seed, that second and the thinning
 * only, so any stretch can be written again, byte for byte.
 */
export class RequestWriter {
  readonly #seed: number;
  readonly #thinning: Thinning;
  readonly #outcomes: readonly Outcome[];
  /** Up to which share of the rows each outcome goes. */
  readonly #ends: Float64Array;
  /** Rows in a second of an average hour. */
  readonly #usualRows: number;
  readonly #even: EvenShares;
  readonly #text = new RowText();
  #buffer = Buffer.allocUnsafe(1 << 22);
  readonly #order = new Uint32Array(rowsOfSecondMax);

  constructor(seed: number, thinning: Thinning) {
    this.#seed = seed;
    this.#thinning = thinning;
    const choices = outcomesOf(thinning);
    this.#outcomes = choices.map(({ outcome }) => outcome);
    const total = choices.reduce((sum, { share }) => sum + share, 0);
    let end = 0;
    this.#ends = Float64Array.from(choices, ({ share }) => (end += share / total));
    this.#usualRows = eventsPerSecond * total;
    this.#even = new EvenShares(seed);
  }

  /** The rows of the whole seconds [fromMs, toMs). */
  write(fromMs: number, toMs: number): RequestRows {
    if (fromMs % secondMs !== 0 || toMs % secondMs !== 0) {
      throw new RangeError(`not whole seconds: ${fromMs} to ${toMs}`);
    }
    let bytes = 0;
    let rows = 0;
    for (let timeMs = fromMs; timeMs < toMs; timeMs += secondMs) {
      const random = new Random(mix(mix(this.#seed, timeMs / secondMs), this.#thinning.successes));
      const busy = activityAt(timeMs).level * seasonAt(timeMs);
      const incident = incidentAt(this.#seed, timeMs);
      // Of frequent requests one in N is a row: counted off, as servers sample, and not drawn by lot,
      // so that charts show the traffic and not the luck of the draw.
      const [ofUsual, ofHit, ofOutcome, ofLatency] = this.#even.at(timeMs / secondMs);
      const usual = Math.floor(this.#usualRows * busy + ofUsual);
      const hit = incident === undefined ? 0 : Math.floor(this.#hitRows(incident, busy) + ofHit);
      for (const placed of this.#drawOrder(random, usual + hit)) {
        const atMs = timeMs + Math.floor(placed / rowsOfSecondMax);
        const i = placed % rowsOfSecondMax;
        const line =
          i >= usual && incident !== undefined
            ? this.#incidentRow(random, atMs, incident)
            : this.#usualRow(random, atMs, incident, {
                outcome: (i + ofOutcome) / usual,
                latency: fractionOf(i * goldenShare + ofLatency),
              });
        if (line === "") continue;
        rows++;
        if (bytes + line.length > this.#buffer.length) this.#grow();
        // Copied at once: a rope of a million characters keeps the garbage collector busy for longer than all the rest.
        bytes += this.#buffer.write(line, bytes, "latin1");
      }
    }
    return { ndjson: Uint8Array.prototype.slice.call(this.#buffer, 0, bytes), rows };
  }

  #grow(): void {
    const grown = Buffer.allocUnsafe(this.#buffer.length * 2);
    this.#buffer.copy(grown);
    this.#buffer = grown;
  }

  #hitRows(incident: Incident, busy: number): number {
    const events = eventsPerSecond * busy * shareOfIncident(incident) * incidentTraffic;
    return events / this.#thinning.notable;
  }

  /** Rows of a second in the order of their milliseconds: the millisecond × 8,192 + the row. */
  #drawOrder(random: Random, count: number): Uint32Array {
    const order = this.#order.subarray(0, count);
    for (let i = 0; i < order.length; i++) order[i] = random.below(secondMs) * rowsOfSecondMax + i;
    return order.sort();
  }

  #indexOf(share: number): number {
    let low = 0;
    let high = this.#ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (share < this.#ends[middle]!) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Empty where the draw falls on requests that the incident took over. */
  #usualRow(
    random: Random,
    timeMs: number,
    incident: Incident | undefined,
    share: { readonly outcome: number; readonly latency: number },
  ): string {
    const outcome = this.#outcomes[this.#indexOf(share.outcome)]!;
    const deviation = normalAt(share.latency);
    const { endpointIndex, kind, sampleRate } = outcome;
    const endpoint = endpoints[endpointIndex]!;
    if (endpoint.isHealthCheck) {
      const latencyUs = latencyOf(deviation, endpoint, 1);
      return this.#text.healthCheck(random, { timeMs, endpointIndex, latencyUs, sampleRate });
    }
    const countryIndex = activityAt(timeMs).country.pick(random);
    const user = drawUser(random, countryIndex);
    const { version } = releaseOf(releasesAt(timeMs), eagernessOf(user));
    if (
      incident !== undefined &&
      endpoint.service === incident.service &&
      countryIndex === incident.countryIndex &&
      version === incident.version
    ) {
      return "";
    }
    const status =
      kind === "success"
        ? (successByMethod[endpoint.method] ?? 200)
        : random.pick(kind === "client-error" ? clientErrors : serverErrors);
    const haste = status === 504 ? 12 : kind === "success" ? 1 : 0.6;
    const latencyUs = latencyOf(deviation, endpoint, haste * countries[countryIndex]!.distance);
    return this.#text.request(random, {
      timeMs,
      endpointIndex,
      status,
      latencyUs,
      countryIndex,
      user,
      version,
      sampleRate,
    });
  }

  #incidentRow(random: Random, timeMs: number, incident: Incident): string {
    const endpointIndex = drawEndpoint(random, incident.service);
    const { countryIndex, version, cause } = incident;
    const releases = releasesAt(timeMs);
    let user = drawUser(random, countryIndex);
    // At least every fifth user runs the version; one who does not after 64 draws shows it none the less.
    for (let i = 0; i < 64 && releaseOf(releases, eagernessOf(user)).version !== version; i++) {
      user = drawUser(random, countryIndex);
    }
    const endpoint = endpoints[endpointIndex]!;
    const failed = random.next() < incidentErrorShare;
    const status = failed ? cause.status : (successByMethod[endpoint.method] ?? 200);
    const slowdown = incidentSlowdown * countries[countryIndex]!.distance;
    const latencyUs = latencyOf(random.normal(), endpoint, slowdown);
    const sampleRate = this.#thinning.notable;
    return this.#text.request(random, {
      timeMs,
      endpointIndex,
      status,
      latencyUs,
      countryIndex,
      user,
      version,
      sampleRate,
      cause,
    });
  }
}

/** `deviation` in standard deviations of the normal distribution. */
function latencyOf(deviation: number, endpoint: Endpoint, factor: number): number {
  return Math.max(
    1,
    Math.round(endpoint.medianUs * factor * Math.exp(endpoint.spread * deviation)),
  );
}

const endpointChoices = new Map<
  string,
  { readonly indexes: number[]; readonly choice: WeightedChoice }
>();

function drawEndpoint(random: Random, service: string): number {
  let ofService = endpointChoices.get(service);
  if (ofService === undefined) {
    const indexes = endpoints.flatMap((endpoint, index) =>
      endpoint.service === service && !endpoint.isHealthCheck ? [index] : [],
    );
    const choice = new WeightedChoice(indexes.map((index) => endpoints[index]!.share));
    ofService = { indexes, choice };
    endpointChoices.set(service, ofService);
  }
  return ofService.indexes[ofService.choice.pick(random)]!;
}

/** Every outcome with the share of all requests that become a row of it: its probability ÷ its sample rate. */
function outcomesOf(thinning: Thinning): { readonly outcome: Outcome; readonly share: number }[] {
  return endpoints.flatMap((endpoint, endpointIndex) => {
    const sampled = endpoint.isHealthCheck ? healthSampleRate : endpoint.isHot ? hotSampleRate : 1;
    const outcome = (kind: Outcome["kind"], probability: number, sampleRate: number) => ({
      outcome: { endpointIndex, kind, sampleRate },
      share: (endpoint.share * probability) / sampleRate,
    });
    if (endpoint.isHealthCheck) return [outcome("success", 1, sampled * thinning.successes)];
    return [
      outcome("success", 1 - clientErrorShare - serverErrorShare, sampled * thinning.successes),
      outcome("client-error", clientErrorShare, thinning.notable),
      outcome("server-error", serverErrorShare, thinning.notable),
    ];
  });
}
