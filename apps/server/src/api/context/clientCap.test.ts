import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { clientLimitsDefault } from "../../base/limit/clientLimits.js";
import { withApi } from "../testing/startApi.js";
import { ClientCap } from "./clientCap.js";

test("each client has its own count; what is given back twice counts once", () => {
  const cap = new ClientCap("queries", "queriesPerClient", 2);
  const [first] = [cap.take("a"), cap.take("a")];
  cap.take("b");
  expect(() => cap.take("a")).toThrow("a has 2 queries already (queriesPerClient).");
  first();
  first();
  cap.take("a");
  expect(() => cap.take("a")).toThrow("queriesPerClient");
  expect([cap.count, cap.refused]).toEqual([3, 2]);
});

test("a connection beyond the limit is refused with the reason and closed; the others stay open, and a closed one makes room", async () => {
  const limits = { ...clientLimitsDefault, connectionsPerClient: 3 };
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
