import { expect, test } from "vitest";
import { addToken } from "../../testing/people.js";
import { type TestApi, withApi } from "../../testing/startApi.js";

const url = "/api/v1/batches";
const row = (time: number) => ({ time, n: 1 });

function post({ app }: TestApi, body: unknown, headers: Record<string, string> = {}, query = "") {
  return app.inject({
    ...{ method: "POST", url: `${url}${query}` },
    headers: { "content-type": "application/json", ...headers },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const now = Date.now();
const both = { tables: { a: [row(now), row(now)], "b c": [row(now)] } };

/** What queries see of the tables. */
function seen({ gateway, leaf }: TestApi): readonly number[] {
  const snapshot = gateway.ledger.snapshot();
  return ["a", "b c"].map((table) => leaf.visibleTimes(table, snapshot).length);
}

test("rows of several tables are stored as one, each counted", () =>
  withApi({}, async (api) => {
    const reply = await post(api, both);
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      {
        ...{ batchId: expect.any(String), accepted: 3, ack: "durable" },
        tables: { a: { accepted: 2 }, "b c": { accepted: 1 } },
      },
    ]);
    expect(seen(api)).toEqual([2, 1]);
    // They were sent as one unit.
    const units = [...api.leaf.held.values()].map(({ unit }) => unit);
    expect(new Set(units.map((unit) => unit?.number)).size).toBe(1);
    expect(units.map((unit) => unit?.parts)).toEqual([2, 2]);
    expect(api.gateway.ingest.counts()).toMatchObject({
      rowsAccepted: 3,
      tables: [
        { name: "a", accepted: 2 },
        { name: "b c", accepted: 1 },
      ],
    });
  }));

test("one wrong row refuses all, and every problem says table and row", () =>
  withApi({}, async (api) => {
    const body = { tables: { a: [row(now), { n: 1 }], "b c": [row(now), 7, row(now)] } };
    const reply = await post(api, body);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({
      code: "rows-rejected",
      detail: expect.stringContaining("a, row 2: The row has no `time`."),
      errors: [
        { path: "tables.a[1]", code: "time-missing" },
        { path: "tables.b c[1]", detail: expect.stringContaining("b c, row 2") },
      ],
    });
    expect([api.leaf.appends, seen(api)]).toEqual([0, [0, 0]]);
  }));

test("the same key again is answered, not stored again; other rows of any table are a conflict", () =>
  withApi({}, async (api) => {
    const key = { "idempotency-key": "k" };
    const first = await post(api, both, key);
    expect((await post(api, both, key)).json()).toEqual(first.json());
    expect(seen(api)).toEqual([2, 1]);
    const other = { tables: { ...both.tables, "b c": [row(now + 1)] } };
    const conflict = await post(api, other, key);
    expect([conflict.statusCode, conflict.json().code]).toEqual([409, "idempotency-conflict"]);
    expect(seen(api)).toEqual([2, 1]);
  }));

test("what a leaf refuses is refused as a whole", () =>
  withApi({}, async (api) => {
    api.leaf.fates = ["stored", "full"];
    const reply = await post(api, both);
    expect([reply.statusCode, reply.json().code]).toEqual([507, "storage-full"]);
    expect(reply.json().errors).toEqual([
      { code: "nothing-stored", detail: "Nothing of the request was stored." },
    ]);
    expect(seen(api)).toEqual([0, 0]);
    expect((await post(api, both)).statusCode).toBe(200);
    expect(seen(api)).toEqual([2, 1]);
  }));

test("leaves of an older version would show a part: nothing is sent to them", () =>
  withApi({}, async (api) => {
    api.leaf.takesUnits = false;
    const reply = await post(api, both);
    expect([reply.statusCode, reply.json().code, api.leaf.appends]).toEqual([
      503,
      "unavailable",
      0,
    ]);
    // One batch is atomic by itself.
    expect((await post(api, { tables: { a: [row(now)] } })).statusCode).toBe(200);
  }));

test("a person needs the right to each table", () =>
  withApi({ settings: { auth: "users" } }, async (api) => {
    const { token } = await addToken(api.access, ["ingest:a"]);
    const headers = { authorization: `Bearer ${token}` };
    const refused = await post(api, both, headers);
    expect([refused.statusCode, refused.json().code]).toEqual([403, "token-scope"]);
    expect(api.leaf.appends).toBe(0);
    expect((await post(api, { tables: { a: [row(now)] } }, headers)).statusCode).toBe(200);
  }));

test.each([
  ["{", 400, "bad-request"],
  ['{"tables":{}}', 400, "bad-request"],
  ['{"tables":{"a":[]}}', 400, "bad-request"],
  ['{"tables":{"a\\u0000":[{"time":1}]}}', 400, "invalid-name"],
  [`{"tables":{"a":[{"time":${now}}],"b":[],"c":[],"d":[]}}`, 400, "bad-request"],
])("%s is refused", (body, status, code) =>
  withApi({}, async (api) => {
    const reply = await post(api, body);
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    expect(api.leaf.appends).toBe(0);
  }),
);

test("times and acknowledgement are read as for rows of one table", () =>
  withApi({}, async (api) => {
    const body = { tables: { a: [{ at: 1_750_500_000 }], "b c": [{ at: 1_750_500_000 }] } };
    const reply = await post(api, body, {}, "?time=at&timeUnit=s&ack=received");
    expect([reply.statusCode, reply.json().ack]).toEqual([202, "received"]);
    const times = api.leaf.visibleTimes("a", api.gateway.ledger.snapshot());
    expect(times).toEqual([1_750_500_000_000]);
  }));
