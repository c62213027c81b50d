import { timeUnits } from "../ingest/ingest.js";
import {
  passwordVariableDefault,
  rowTimeSources,
  type SourceSettings,
  saslMechanisms,
  sendsPassword,
  sourceStarts,
} from "../ingest/source.js";
import { nameFault } from "../name.js";
import {
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";

/** Some of a cluster's brokers are enough to find all. */
const brokersMax = 100;
const topicsMax = 1_000;
/** Kafka's own bound on names of topics. */
const topicUnitsMax = 249;
const textUnitsMax = 2_000;
const multilines = ["none", "indented", "unmatched"] as const;
const texts = ["contentType", "time", "timeZone", "pattern"] as const;
const words = {
  timeUnit: timeUnits,
  timeFrom: rowTimeSources,
  multiline: multilines,
} as const;

/** The body of `PUT /sources/{id}`; throws `invalid-query` with everything that is wrong. */
export function checkSource(value: unknown): SourceSettings {
  const problems = createProblemList();
  const body = checkObject(value, "", problems);
  if (body === null) throw problems.toError();
  checkKeys(body, "", ["kind", "brokers", "group", "start", "tls", "sasl", "topics"], problems);
  if (body.kind !== "kafka") problems.add("kind", "type-mismatch", 'kind is "kafka".');
  checkBrokers(body.brokers, problems);
  checkText(body.group, "group", problems);
  checkWord(body.start, "start", sourceStarts, problems);
  checkSecurity(body, problems);
  checkTopics(body.topics, problems);
  if (problems.count > 0) throw problems.toError();
  return value as SourceSettings;
}

/** `host:port`. */
export function isBroker(text: string): boolean {
  const url = URL.canParse(`kafka://${text}`) ? new URL(`kafka://${text}`) : null;
  return url !== null && url.host === text && url.hostname !== "" && url.port !== "";
}

/** As Kafka has them. */
export const isTopicName = (text: string): boolean =>
  /^[A-Za-z0-9._-]+$/.test(text) && text.length <= topicUnitsMax && text !== "." && text !== "..";

/** Of an environment variable that may have the password. */
const isPasswordVariable = (text: string): boolean =>
  /^[A-Z0-9_]+$/.test(text) &&
  text.startsWith(passwordVariableDefault) &&
  text.length <= topicUnitsMax;

function checkSecurity({ tls, sasl }: JsonObject, problems: ProblemList): void {
  if (tls !== undefined && typeof tls !== "boolean")
    problems.add("tls", "type-mismatch", `tls is true or false; found ${kindOf(tls)}.`);
  if (sasl === undefined) return;
  const settings = checkObject(sasl, "sasl", problems);
  if (settings === null) return;
  const { mechanism, username, passwordFrom } = settings;
  checkKeys(settings, "sasl", ["mechanism", "username", "passwordFrom"], problems);
  for (const [key, value] of Object.entries({ mechanism, username }))
    if (value === undefined) problems.add(`sasl.${key}`, "missing", `sasl needs a ${key}.`);
  checkWord(mechanism, "sasl.mechanism", saslMechanisms, problems);
  checkText(username, "sasl.username", problems);
  if (sendsPassword(mechanism) && tls !== true) {
    const detail = "PLAIN sends the password as it is: it needs tls, or use SCRAM-SHA-512.";
    problems.add("sasl.mechanism", "unsupported", detail);
  }
  if (passwordFrom === undefined) return;
  if (typeof passwordFrom === "string" && isPasswordVariable(passwordFrom)) return;
  const detail = `sasl.passwordFrom names an environment variable of the gateways that begins with ${passwordVariableDefault}, in capitals; found ${JSON.stringify(passwordFrom)}.`;
  problems.add("sasl.passwordFrom", "type-mismatch", detail);
}

function checkBrokers(value: unknown, problems: ProblemList): void {
  const brokers = checkList(value, "brokers", brokersMax, problems);
  if (brokers === null) return;
  if (brokers.length === 0) {
    problems.add("brokers", "missing", "brokers lists at least one broker as host:port.");
  }
  brokers.forEach((broker, i) => {
    if (typeof broker === "string" && isBroker(broker)) return;
    const detail = `A broker is a host and a port such as kafka-1:9092; found ${JSON.stringify(broker)}.`;
    problems.add(`brokers[${i}]`, "type-mismatch", detail);
  });
}

function checkTopics(value: unknown, problems: ProblemList): void {
  const topics = checkList(value, "topics", topicsMax, problems);
  if (topics === null) return;
  if (topics.length === 0) {
    problems.add("topics", "missing", "topics lists at least one topic with its table.");
  }
  const seen = new Set<unknown>();
  topics.forEach((entry, i) => {
    const path = `topics[${i}]`;
    const topic = checkObject(entry, path, problems);
    if (topic === null) return;
    checkTopic(topic, path, problems);
    if (seen.has(topic.topic)) {
      problems.add(`${path}.topic`, "duplicate", "A topic is listed once in a source.");
    }
    seen.add(topic.topic);
  });
}

function checkTopic(topic: JsonObject, path: string, problems: ProblemList): void {
  checkKeys(topic, path, ["topic", "table", ...texts, ...Object.keys(words)], problems);
  if (typeof topic.topic !== "string" || !isTopicName(topic.topic)) {
    const detail = `The name of a topic has up to ${topicUnitsMax} of the characters A-Z, a-z, 0-9, ".", "_", "-"; found ${kindOf(topic.topic)}.`;
    const code = topic.topic === undefined ? "missing" : "type-mismatch";
    problems.add(`${path}.topic`, code, detail);
  }
  const fault =
    typeof topic.table === "string" ? nameFault(topic.table) : `Found ${kindOf(topic.table)}.`;
  if (fault !== null) {
    const code = topic.table === undefined ? "missing" : "type-mismatch";
    problems.add(`${path}.table`, code, `${path}.table: ${fault}`);
  }
  for (const key of texts) checkText(topic[key], `${path}.${key}`, problems);
  for (const [key, known] of Object.entries(words))
    checkWord(topic[key], `${path}.${key}`, known, problems);
}

function checkText(value: unknown, path: string, problems: ProblemList): void {
  if (value === undefined) return;
  if (typeof value === "string" && value !== "" && value.length <= textUnitsMax) return;
  const detail = `${path} is a text of at most ${textUnitsMax} characters; found ${kindOf(value)}.`;
  problems.add(path, "type-mismatch", detail);
}

function checkWord(
  value: unknown,
  path: string,
  known: readonly string[],
  problems: ProblemList,
): void {
  if (value === undefined || known.includes(value as string)) return;
  const detail = `${path} is ${known.join(" or ")}; found ${kindOf(value)}.`;
  problems.add(path, "type-mismatch", detail);
}
