import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { anyone } from "../../access/person.js";
import { clientLimitsDefault } from "../../base/limit/clientLimits.js";
import { userLimitsDefault } from "../../base/limit/userLimits.js";
import { withApi } from "../testing/startApi.js";
import { ClientCap } from "./clientCap.js";
import { clientCaps } from "./clientCaps.js";

test("each client has its own count; what is given back twice counts once", () => {
  const cap = new ClientCap({
    ...{ what: "queries", limitName: "queriesPerClient", max: 2, of: "address" },
  });
  const [first] = [cap.take("a"), cap.take("a")];
  cap.take("b");
  expect(() => cap.take("a")).toThrow("a has 2 queries already (queriesPerClient).");
  first();
  first();
  cap.take("a");
  expect(() => cap.take("a")).toThrow("queriesPerClient");
  expect([cap.count, cap.refused]).toEqual([3, 2]);
});

test("a person is refused by the limit's name, with when to come again; 0 is no limit", () => {
  const options = { what: "queries", limitName: "userQueries", of: "person" } as const;
  const cap = new ClientCap({ ...options, max: 1 });
  cap.take("user:1");
  cap.take("user:2");
  expect(() => cap.take("user:1")).toThrow(
    expect.objectContaining({
      ...{ code: "quota-exceeded", members: { limitName: "userQueries", retryAfterMs: 1_000 } },
      message: "At most 1 queries at once for each user, token or unknown address (userQueries).",
    }),
  );
  const unlimited = new ClientCap({ ...options, max: 0 });
  for (let i = 0; i < 1_000; i++) unlimited.take("user:1");
  expect([unlimited.count, unlimited.refused]).toEqual([1_000, 0]);
});

test("a query that its person may not have does not count for its address", () => {
  const { queries } = clientCaps({
    ...{ ...clientLimitsDefault, ...userLimitsDefault, queriesPerClient: 2, userQueries: 1 },
  });
  const requester = (key: string) => ({
    person: { ...anyone, kind: "user", key } as const,
    address: "::1",
  });
  const release = queries.take(requester("user:1"));
  expect(() => queries.take(requester("user:1"))).toThrow("userQueries");
  queries.take(requester("user:2"));
  expect(() => queries.take(requester("user:3"))).toThrow("queriesPerClient");
  release();
  queries.take(requester("user:1"));
});

test("a connection beyond the limit is refused with the reason and closed; the others stay open, and a closed one makes room", async () => {
  const limits = {
    ...{ ...clientLimitsDefault, ...userLimitsDefault, connectionsPerClient: 3 },
  };
  await withApi({ settings: { limits } }, async (api) => {
    const { port } = new URL(await api.listen());
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(port), "127.0.0.1");
      await once(socket, "connect");
      return socket;
    };
    const kept = [await open(), await open(), await open()];
    const refused = await open();
    const [answer] = (await once(refused, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 429 [\s\S]*connectionsPerClient/);
    await once(refused, "close");
    kept[0]!.destroy();
    await once(kept[0]!, "close");
    kept[1]!.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const [healthy] = (await once(kept[1]!, "data")) as [Buffer];
    expect(healthy.toString()).toMatch(/^HTTP\/1\.1 200 /);
    const again = await open();
    again.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const [served] = (await once(again, "data")) as [Buffer];
    expect(served.toString()).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [...kept, again]) socket.destroy();
  });
});
