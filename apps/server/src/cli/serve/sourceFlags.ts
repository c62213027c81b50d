import { type KafkaSource, nameFault, sourceGroupDefault } from "@hadal/sdk";
import { isBroker, isTopicName } from "@hadal/sdk/checks";
import { checkText, type Find, type Found, flag, refused, type ServeFlag } from "./serveFlag.js";

/** Topics of Kafka that are read. */
export const sourceFlags: readonly ServeFlag[] = [
  flag(
    "kafkaBrokers",
    "--kafka-brokers <list>",
    "brokers of Kafka as host:port, with commas between; some are enough to find all",
    "none",
  ),
  flag(
    "kafkaTopics",
    "--kafka-topics <pairs>",
    "topics that are read, with their tables: orders=orders,web-logs=requests",
    "none",
  ),
  flag(
    "kafkaGroup",
    "--kafka-group <name>",
    "consumer group that all gateways share",
    sourceGroupDefault,
  ),
];

/** Null: none is read. */
export function checkKafka(find: Find): KafkaSource | null {
  const brokers = checkBrokers(find("kafkaBrokers"));
  const topics = checkTopics(find("kafkaTopics"));
  const group = find("kafkaGroup");
  if (brokers.length === 0 && topics.length === 0) {
    if (group !== null) throw refused(`${group.source} needs --kafka-brokers and --kafka-topics.`);
    return null;
  }
  if (topics.length === 0) throw refused("--kafka-brokers needs --kafka-topics: what to read.");
  if (brokers.length === 0) throw refused("--kafka-topics needs --kafka-brokers: where to read.");
  return { kind: "kafka", brokers, group: checkText(group, sourceGroupDefault), topics };
}

function checkBrokers(found: Found | null): readonly string[] {
  const brokers = listOf(found);
  const wrong = brokers.find((broker) => !isBroker(broker));
  if (wrong === undefined) return brokers;
  throw refused(
    `${found?.source} are hosts with their ports such as kafka-1:9092, with commas between; found ${JSON.stringify(wrong)}.`,
  );
}

function checkTopics(found: Found | null): KafkaSource["topics"] {
  const topics = listOf(found).map((pair) => {
    const at = pair.indexOf("=");
    const topic = pair.slice(0, at);
    const table = pair.slice(at + 1);
    if (at > 0 && isTopicName(topic) && nameFault(table) === null) return { topic, table };
    throw refused(
      `${found?.source} are pairs of a topic and a table such as orders=orders, with commas between; found ${JSON.stringify(pair)}.`,
    );
  });
  const names = topics.map(({ topic }) => topic);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return topics;
  throw refused(`${found?.source}: the topic ${twice} is there twice; its rows go to one table.`);
}

const listOf = (found: Found | null): readonly string[] =>
  checkText(found, "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
