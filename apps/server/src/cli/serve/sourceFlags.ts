import {
  type KafkaSource,
  nameFault,
  passwordVariableDefault,
  saslMechanisms,
  sendsPassword,
  sourceGroupDefault,
} from "@hadal/sdk";
import { isBroker, isTopicName } from "@hadal/sdk/checks";
import {
  checkSwitch,
  checkText,
  type Find,
  type Found,
  flag,
  refused,
  type ServeFlag,
} from "./serveFlag.js";

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
  flag(
    "kafkaTls",
    "--kafka-tls",
    "encrypts connections to brokers; authorities of NODE_EXTRA_CA_CERTS are trusted, too",
    "off",
  ),
  flag(
    "kafkaSasl",
    "--kafka-sasl <mechanism>",
    `how brokers know who reads: ${saslMechanisms.join(", ")}; the password is in ${passwordVariableDefault}`,
    "none",
  ),
  flag("kafkaUser", "--kafka-user <name>", "the user of --kafka-sasl", "none"),
];

/** Null: none is read. */
export function checkKafka(find: Find): KafkaSource | null {
  const brokers = checkBrokers(find("kafkaBrokers"));
  const topics = checkTopics(find("kafkaTopics"));
  const group = find("kafkaGroup");
  const others = [group, ...["kafkaTls", "kafkaSasl", "kafkaUser"].map(find)];
  if (brokers.length === 0 && topics.length === 0) {
    const lonely = others.find((one) => one !== null);
    if (lonely !== undefined && lonely !== null)
      throw refused(`${lonely.source} needs --kafka-brokers and --kafka-topics.`);
    return null;
  }
  if (topics.length === 0) throw refused("--kafka-brokers needs --kafka-topics: what to read.");
  if (brokers.length === 0) throw refused("--kafka-topics needs --kafka-brokers: where to read.");
  return {
    ...{ kind: "kafka", brokers, group: checkText(group, sourceGroupDefault), topics },
    ...checkSecurity(find),
  };
}

function checkSecurity(find: Find): Pick<KafkaSource, "tls" | "sasl"> {
  const tls = checkSwitch(find("kafkaTls")) === true;
  const encrypted = tls ? { tls } : {};
  const [chosen, user] = [find("kafkaSasl"), find("kafkaUser")];
  if (chosen === null && user === null) return encrypted;
  if (chosen === null || user === null)
    throw refused("--kafka-sasl and --kafka-user need each other.");
  const mechanism = saslMechanisms.find((one) => one === chosen.value);
  if (mechanism === undefined) {
    const found = JSON.stringify(chosen.value);
    throw refused(`${chosen.source} is ${saslMechanisms.join(" or ")}; found ${found}.`);
  }
  if (sendsPassword(mechanism) && !tls)
    throw refused("--kafka-sasl PLAIN sends the password as it is: it needs --kafka-tls.");
  return { ...encrypted, sasl: { mechanism, username: checkText(user, "") } };
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
