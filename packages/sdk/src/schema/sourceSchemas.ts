import { timeUnits } from "../model/ingest/ingest.js";
import { rowTimeSources, saslMechanisms, sourceStarts } from "../model/ingest/source.js";
import {
  closedObject,
  described,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";
import { count, number, text } from "./valueSchemas.js";

const settings: NamedSchemas = {
  kind: { enum: ["kafka"] },
  brokers: described(list(text), "`host:port` of some brokers; the others are found through them."),
  "group?": described(text, "The consumer group that all gateways share; `hadal` when left out."),
  "start?": {
    enum: [...sourceStarts],
    description:
      "Where to begin in a partition of which the group has no offset; `earliest` when left out.",
  },
  "tls?": {
    type: "boolean",
    description:
      "Whether connections are encrypted. Certificates of brokers are checked against the authorities that Node.js trusts, and those of the file `NODE_EXTRA_CA_CERTS`.",
  },
  "sasl?": ref("KafkaSasl"),
  topics: list(ref("KafkaTopic")),
};

/** Sources of rows outside Hadal. */
export const sourceSchemas: NamedSchemas = {
  KafkaSasl: closedObject({
    mechanism: {
      enum: [...saslMechanisms],
      description: "`PLAIN` sends the password as it is, and needs `tls`.",
    },
    username: text,
    "passwordFrom?": described(
      text,
      "The environment variable with the password, on every gateway: `KAFKA_PASSWORD` when left out. Its name begins so.",
    ),
  }),
  KafkaTopic: closedObject({
    topic: text,
    table: text,
    "contentType?": described(
      text,
      "Of messages without a header `content-type`: what the rows of a table may be sent as. Left out: `application/x-ndjson`, where a message is one object or several lines.",
    ),
    "time?": described(text, "Column of the event time; `time` when left out."),
    "timeUnit?": { enum: [...timeUnits] },
    "timeZone?": text,
    "timeFrom?": {
      enum: [...rowTimeSources],
      description:
        "`row`: a row without a time is refused. `message`: it has the timestamp of its message. `row` when left out.",
    },
    "pattern?": described(text, "Of raw lines, as when rows are sent."),
    "multiline?": { enum: ["none", "indented", "unmatched"] },
  }),
  SourceSettings: closedObject(settings),
  Source: openObject({
    id: text,
    isFixed: { type: "boolean", description: "Set by flags of the server." },
    ...settings,
  }),
  SourceList: openObject({ sources: list(ref("Source")) }),
  SourceStatus: openObject({
    id: text,
    kind: { enum: ["kafka"] },
    group: text,
    state: {
      enum: ["joining", "reading", "waiting", "away", "failed"],
      description:
        "On the gateway that answers. `waiting`: Hadal cannot store rows now. `away`: no broker can be reached. In every state it is tried again, and nothing is lost.",
    },
    reason: nullable(text),
    lagRows: described(count, "Messages that are not stored yet, of all partitions together."),
    partitions: list(
      openObject({
        topic: text,
        table: text,
        partition: count,
        offset: described(count, "All messages below it are stored, or were refused."),
        endOffset: nullable(count),
        lagRows: count,
        gateway: text,
        atMs: number,
      }),
    ),
    accepted: described(count, "Rows stored through this gateway since its start."),
    rejected: count,
    problems: described(
      list(
        openObject({
          topic: text,
          partition: count,
          offset: count,
          code: text,
          detail: text,
          atMs: number,
        }),
      ),
      "Messages that are no rows, the newest first.",
    ),
  }),
};
