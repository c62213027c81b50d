import { list, type NamedSchemas, nullable, openObject, ref } from "./jsonSchema.js";
import { count, number, text } from "./valueSchemas.js";

const memberTables = list(openObject({ name: text, rows: count, bytes: count }));

/** The state of the cluster. */
export const statusSchemas: NamedSchemas = {
  Memory: openObject({
    storeBytes: count,
    storeUsedBytes: count,
    storeLargestFreeBytes: count,
    storeExtents: count,
    queryPoolBytes: count,
    queryPoolUsedBytes: count,
  }),
  MemberRequests: openObject(
    {
      size: {
        ...count,
        description:
          "How many may be under way at once: more as they are answered, half as many after a loss.",
      },
      waiting: { ...count, description: "How many wait for others to be answered." },
      lost: { ...count, description: "How many were not answered in time, since its start." },
    },
    { description: "An aggregator's requests to its leaves and to other machines." },
  ),
  Member: openObject({
    id: text,
    role: { enum: ["gateway", "aggregator", "leaf"] },
    address: text,
    pid: nullable(count),
    state: { enum: ["alive", "suspect", "dead"] },
    rows: count,
    bytes: count,
    freeBytes: count,
    rowsUnwritten: {
      ...count,
      description:
        "Of a leaf: rows whose files could not be written so far. They are tried again every 2 s.",
    },
    "unitsUndecided?": {
      ...count,
      description:
        "Of a leaf: requests of several batches whose rows no query sees, because for ten minutes no gateway has said what became of them. Left out: there are none.",
    },
    "filesDamaged?": {
      ...count,
      description:
        "Of a leaf: files that its start found damaged, as a whole or in part. `hadal check` names them.",
    },
    memory: nullable(ref("Memory")),
    tables: memberTables,
    lastHeardMs: number,
    machine: { ...text, description: "Where it runs." },
    parent: {
      ...nullable(text),
      description: "Who asks it: of a leaf its aggregator; null: the trees of queries differ.",
    },
    version: { ...text, description: "Of its program." },
    lagMs: {
      ...nullable(number),
      description: "How old is what is known of it; null: it was never heard from.",
    },
    copies: list(ref("LeafCopy"), {
      description: "Of a leaf those on other machines, of an aggregator those that it holds.",
    }),
    "requests?": ref("MemberRequests", "Of an aggregator that has said it."),
  }),
  LostColumn: openObject({ leaf: text, table: text, column: text, rows: count, reason: text }),
  LostRows: openObject({ leaf: text, table: text, rows: count, reason: text }),
  Ledger: openObject(
    {
      state: { enum: ["whole", "rebuilding"] },
      reason: {
        ...nullable(text),
        description: "Why the ledger lacks counts; null: it is complete.",
      },
      comparedMs: {
        ...nullable(number),
        description: "When it was last compared with the rows of all leaves.",
      },
      lostRows: {
        ...list(ref("LostRows")),
        description: "Rows that leaves have lost; every answer over them reports it.",
      },
      lostColumns: {
        ...list(ref("LostColumn")),
        description:
          "Columns of which leaves have lost values; answers that read one lack these rows and report it.",
      },
      doubts: {
        ...list(openObject({ table: text, reason: text })),
        description: "Tables whose number of expected rows is unknown.",
      },
    },
    { description: "The state of the row-count ledger, which answers are compared with." },
  ),
  Status: openObject({
    ledger: ref("Ledger"),
    members: list(ref("Member")),
    tables: memberTables,
    queries: list(openObject({ id: text, table: text, text, elapsedMs: number })),
    sandbox: openObject({
      state: { enum: ["unused", "strict", "weak", "refused"] },
      keeps: list(text),
    }),
    demo: nullable(
      openObject({ table: text, rows: count, fraction: number, problem: nullable(text) }),
    ),
    admission: openObject({ running: count, waiting: count, refused: count, answerBytes: count }),
    ingest: openObject({
      rowsAccepted: count,
      rowsRejected: count,
      batches: count,
      tables: list(
        openObject({
          ...{ name: text, accepted: count, rejected: count },
          late: { ...count, description: "Accepted over a minute after their time." },
          future: { ...count, description: "Accepted over a minute before their time." },
        }),
      ),
      bytesHeld: count,
      waiting: count,
      refused: count,
      "stages?": list(ref("IngestStage"), {
        description:
          "In the order in which rows pass them; empty for who may not read every table.",
      }),
    }),
    sources: list(ref("SourceStatus")),
  }),
  IngestStage: openObject(
    {
      stage: { enum: ["accepted", "durable", "open", "sealed", "merged"] },
      rows: count,
      lagMs: {
        ...number,
        description: "How long the oldest of the rows waits for the next stage; 0: none waits.",
      },
    },
    {
      description:
        "Rows whose furthest stage this is: sent to leaves and not confirmed; on a disk and not visible; in open segments; in small sealed ones; in merged or large ones.",
    },
  ),
};
