import { countries } from "./countries.js";
import { endpoints } from "./endpoints.js";
import type { IncidentCause } from "./incidents.js";
import type { Random } from "./random.js";
import { stackOfIncident, stacksOf } from "./stacks.js";
import { deviceNames, deviceOf, featureSetOf, featureSets, userIdOf } from "./users.js";

/** The drawn values of one request. */
interface DrawnRequest {
  readonly timeMs: number;
  readonly endpointIndex: number;
  readonly status: number;
  readonly latencyUs: number;
  readonly countryIndex: number;
  readonly user: number;
  readonly version: string;
  readonly sampleRate: number;
  readonly cause?: IncidentCause;
}

type DrawnHealthCheck = Pick<DrawnRequest, "timeMs" | "endpointIndex" | "latencyUs" | "sampleRate">;

/** Requests slower than this times their median leave a stack behind. */
const slowFactor = 3;
/** Of the others one in this many. */
const stackSampleRate = 12;

const dependencies = ["postgres-main", "redis-sessions", "pricing-v2", "kafka-orders", "s3-media"];

/** Per endpoint what its lines have in common, written once. */
const parts = endpoints.map((endpoint) => {
  const [beforeId = "", afterId] = endpoint.path.split("{id}");
  return {
    head: `,"service":${JSON.stringify(endpoint.service)},"endpoint":${JSON.stringify(endpoint.path)},"status":`,
    beforeId: `${endpoint.method} ${beforeId}`,
    afterId,
    medianUs: endpoint.medianUs,
    medianBytes: endpoint.medianBytes,
    stacks: stacksOf(endpoint),
  };
});
/** Country and device together: [country · devices + device]. */
const placeParts = countries.flatMap(({ code }) =>
  deviceNames.map((device) => `,"country":"${code}","device":"${device}","app_version":"`),
);
/** Texts of numbers that every line needs, looked up instead of printed. */
const threeDigits = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, "0"));
const fourHexDigits = Array.from({ length: 65_536 }, (_, n) => n.toString(16).padStart(4, "0"));
const featureParts = featureSets.map((set) => `,"features":{"$set":${JSON.stringify(set)}}`);

/** Builds lines of NDJSON from prepared parts: JSON.stringify of row objects would take ten times as long. */
export class RowText {
  #second = 0;
  #secondText = "0";

  healthCheck(random: Random, drawn: DrawnHealthCheck): string {
    const { timeMs, endpointIndex, latencyUs, sampleRate } = drawn;
    const part = parts[endpointIndex]!;
    return `{"time":${this.#timeText(timeMs)}${part.head}200,"latency_us":${latencyUs},"bytes":${60 + random.below(9)},"message":"probe ${random.below(9_000)} answered in ${latencyUs} us","sample_rate":${sampleRate}}\n`;
  }

  request(random: Random, drawn: DrawnRequest): string {
    const { timeMs, status, latencyUs, countryIndex, user, version } = drawn;
    const part = parts[drawn.endpointIndex]!;
    const bytes =
      status < 400
        ? Math.round(part.medianBytes * Math.exp(0.5 * random.normal()))
        : 180 + random.below(700);
    const stack = stackOf(random, drawn);
    return `{"time":${this.#timeText(timeMs)}${part.head}${status},"latency_us":${latencyUs},"bytes":${bytes},"user_id":${userIdOf(user)}${placeParts[countryIndex * deviceNames.length + deviceOf(user)]}${version}"${featureParts[featureSetOf(user)]}${stack === "" ? "" : `,"stack":${stack}`},"message":"${messageOf(random, drawn, bytes)}","sample_rate":${drawn.sampleRate}}\n`;
  }

  #timeText(timeMs: number): string {
    const second = Math.floor(timeMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = String(second);
    }
    return this.#secondText + threeDigits[timeMs - second * 1_000];
  }
}

function stackOf(
  random: Random,
  { endpointIndex, status, latencyUs, cause }: DrawnRequest,
): string {
  const { stacks, medianUs } = parts[endpointIndex]!;
  if (cause !== undefined) return incidentStack(endpointIndex, cause);
  if (status >= 500) return random.pick(stacks.failed);
  if (latencyUs > slowFactor * medianUs) return random.pick(stacks.slow);
  return random.below(stackSampleRate) === 0 ? random.pick(stacks.normal) : "";
}

const incidentStacks = new Map<IncidentCause, Map<number, string>>();

function incidentStack(endpointIndex: number, cause: IncidentCause): string {
  const ofCause = incidentStacks.get(cause) ?? new Map<number, string>();
  incidentStacks.set(cause, ofCause);
  const stack = ofCause.get(endpointIndex) ?? stackOfIncident(endpoints[endpointIndex]!, cause);
  ofCause.set(endpointIndex, stack);
  return stack;
}

/** No message contains a character that JSON would escape. */
function messageOf(random: Random, drawn: DrawnRequest, bytes: number): string {
  const { status, cause } = drawn;
  const { beforeId, afterId } = parts[drawn.endpointIndex]!;
  const path =
    afterId === undefined ? beforeId : `${beforeId}${random.below(90_000) + 10_000}${afterId}`;
  const tenths = Math.round(drawn.latencyUs / 100);
  const ms = `${Math.floor(tenths / 10)}.${tenths % 10}`;
  const id = fourHexDigits[random.below(65_536)]! + fourHexDigits[random.below(65_536)]!;
  if (cause !== undefined && status >= 500) {
    const country = countries[drawn.countryIndex]!.code;
    const text = cause.message.replace("{country}", country);
    return `${path}: ${text.replace("{n}", String(random.below(9_000) + 1_000))} req=${id}`;
  }
  if (status >= 500) {
    return `${path}: upstream ${random.pick(dependencies)} failed with ${status} after ${ms} ms, attempt ${1 + random.below(3)} of 3, req=${id}`;
  }
  if (status === 429)
    return `${path}: rate limit of ${100 * (1 + random.below(5))}/min reached, req=${id}`;
  if (status === 404) return `${path}: nothing found, req=${id}`;
  if (status >= 400) return `${path}: refused with ${status}, rule ${random.below(40)}, req=${id}`;
  return `${path} ${status} ${ms} ms ${bytes} B req=${id}`;
}
