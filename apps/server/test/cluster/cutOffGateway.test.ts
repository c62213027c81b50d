import { type Completeness, HadalError, type Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CutLine, cutLine } from "../support/cutLine.js";
import { type RunningHadal, stopProcess } from "../support/startCluster.js";
import { type ClusterGateway, type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

let machines: Machines;
let second: RunningHadal;
let line: CutLine;
let one: ClusterGateway;
/** Its way to the registry can be cut. */
let two: ClusterGateway;
/** Rows that were acknowledged. */
let storedRows = 0;

/** Ten rows of now; returns the code of a refusal. */
async function send({ client }: ClusterGateway): Promise<string | null> {
  const nowMs = Date.now();
  const body = Array.from({ length: 10 }, (_, i) => JSON.stringify({ time: nowMs - i, n: i }));
  const options = { contentType: "application/x-ndjson", ack: "durable" } as const;
  try {
    await client.ingestBody("visits", body.join("\n"), options);
    storedRows += 10;
    return null;
  } catch (error) {
    if (error instanceof HadalError) return error.code;
    throw error;
  }
}

async function sendMany(gateway: ClusterGateway, count: number): Promise<void> {
  for (let i = 0; i < count; i++) expect(await send(gateway)).toBeNull();
}

async function count(
  { client }: ClusterGateway,
  table = "visits",
): Promise<{ readonly rows: number; readonly completeness: Completeness }> {
  const query: Query = {
    ...{ table, from: Date.now() - 3_600_000, to: Date.now() + 60_000 },
    ...{ aggregates: [{ fn: "count" }], timeoutMs: 5_000 },
  };
  const { rows, completeness } = await client.query(query);
  return { rows: Number(rows[0]?.[0] ?? 0), completeness };
}

/** Waits until a gateway knows how many rows there are; it never says that more are there than are. */
const untilKnown = (gateway: ClusterGateway): Promise<Completeness> =>
  waitUntil(
    "the share is known",
    async () => {
      const sure = storedRows;
      const { rows, completeness } = await count(gateway);
      if (completeness.known === false) return null;
      expect(completeness.fraction).toBeLessThanOrEqual(rows / sure);
      return completeness.rowsExpected === sure ? completeness : null;
    },
    40_000,
  );

beforeAll(async () => {
  machines = await startMachines();
  line = await cutLine(machines.database);
  await machines.startAggregator(1, ["--copies", "1"]);
  second = await machines.startAggregator(2);
  one = await machines.startGateway(98);
  two = await machines.startGateway(99, ["--join", line.url]);
}, 120_000);
afterAll(async () => {
  await machines.remove();
  await line.close();
}, 60_000);

test("I4: a gateway that reaches leaves but not the registry is kept out by the leaves, and goes on by itself", async () => {
  await sendMany(one, 20);
  await sendMany(two, 20);
  for (const gateway of [one, two]) await untilKnown(gateway);
  line.cut();
  // Its rows are stored until another gateway takes its place, and then no more.
  const refused = await waitUntil("it is refused", () => send(two), 40_000);
  expect(refused).toBe("gateway-fenced");
  for (let i = 0; i < 5; i++) expect(await send(two)).toBe("gateway-fenced");
  expect(await untilKnown(one)).toMatchObject({ fraction: 1, rowsAnswered: storedRows });
  // Of leaves that are away the other knows every row that was stored there.
  await stopProcess(second);
  const before = storedRows;
  const away = await waitUntil("leaves are missing", async () => {
    const found = await count(one);
    return found.completeness.leaves.missing.length === 2 ? found : null;
  });
  expect(away.rows).toBeLessThan(before);
  expect(away.completeness).toMatchObject({
    ...{ rowsExpected: before, rowsAnswered: away.rows, fraction: away.rows / before },
  });
  second = await machines.startAggregator(2);
  line.mend();
  await waitUntil("it takes rows again", async () => ((await send(two)) === null ? true : null));
  for (const gateway of [one, two])
    expect(await untilKnown(gateway)).toMatchObject({ fraction: 1 });
  expect((await count(one)).rows).toBe(storedRows);
}, 180_000);
/** Thirty rows, the same each time; returns the code of a refusal. */
function sendKeyed(
  { client }: ClusterGateway,
  key: string,
  fromMs: number,
): Promise<string | null> {
  const body = Array.from({ length: 30 }, (_, i) => JSON.stringify({ time: fromMs + i }));
  const options = { contentType: "application/x-ndjson", ack: "durable" } as const;
  return client.ingestBody("keyed", body.join("\n"), { ...options, idempotencyKey: key }).then(
    () => null,
    (error: unknown) => (error instanceof HadalError ? error.code : String(error)),
  );
}

let keyedRows = 0;
const untilAllKeyed = async (): Promise<void> => {
  for (const gateway of [one, two]) {
    let last: unknown;
    const whole = async (): Promise<number | null> => {
      const { rows, completeness } = await count(gateway, "keyed");
      last = { rows, ...completeness };
      return completeness.known === false || completeness.fraction < 1 ? null : rows;
    };
    expect(await waitUntil(() => `${keyedRows} rows: ${JSON.stringify(last)}`, whole, 40_000)).toBe(
      keyedRows,
    );
  }
};

test("F22: a key comes again through the other gateway while the leaf with its rows is away", async () => {
  const keys = Array.from({ length: 12 }, (_, i) => `away-${i}`);
  const fromMs = Date.now();
  for (const key of keys) expect(await sendKeyed(one, key, fromMs)).toBeNull();
  keyedRows += keys.length * 30;
  await stopProcess(second);
  const answers = await Promise.all(keys.map((key) => sendKeyed(two, key, fromMs)));
  // Some are on leaves that answer.
  expect(new Set(answers)).toEqual(new Set([null, "key-in-doubt"]));
  // Others are stored as they come.
  await waitUntil("a new key is taken", async () => {
    const refused = await sendKeyed(two, "fresh", fromMs);
    return refused === null ? true : null;
  });
  keyedRows += 30;
  second = await machines.startAggregator(2);
  for (const key of keys)
    await waitUntil("it is stored", async () =>
      (await sendKeyed(two, key, fromMs)) === null ? true : null,
    );
  await untilAllKeyed();
}, 180_000);

test("I2: a gateway that was frozen stores nothing that came through another one since", async () => {
  const fromMs = Date.now();
  await sendMany(one, 2);
  const keys = Array.from({ length: 40 }, (_, i) => `key-${i}`);
  // Frozen with requests at any point of their way.
  const early = keys.map((key) => sendKeyed(two, key, fromMs));
  await Promise.race(early);
  two.process.child.kill("SIGSTOP");
  const late = keys.map((key) => sendKeyed(two, key, fromMs));
  const isKnown = async (): Promise<boolean> => (await count(one)).completeness.known !== false;
  const untilIs = (known: boolean): Promise<boolean> =>
    waitUntil(`known: ${known}`, async () => ((await isKnown()) === known ? true : null), 40_000);
  await untilIs(false);
  // Another has taken its place, and has compared the leaves.
  await untilIs(true);
  for (const key of keys)
    await waitUntil(
      "the rows are stored",
      async () => ((await sendKeyed(one, key, fromMs)) === null ? true : null),
      40_000,
    );
  two.process.child.kill("SIGCONT");
  await Promise.all([...early, ...late]);
  keyedRows += keys.length * 30;
  await untilAllKeyed();
  await waitUntil("it takes rows again", async () => ((await send(two)) === null ? true : null));
}, 180_000);
