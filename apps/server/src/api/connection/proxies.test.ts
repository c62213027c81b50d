import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { Proxies } from "./proxies.js";

const requestFrom = (
  remoteAddress: string,
  headers: IncomingMessage["headers"],
  encrypted = false,
) => ({ socket: { remoteAddress, encrypted }, headers }) as unknown as IncomingMessage;

const spoofed = {
  host: "hadal.example:7400",
  "x-forwarded-for": "9.9.9.9",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "https",
};

describe("a request's address, host and protocol", () => {
  test("what others than trusted proxies say of them is ignored", () => {
    for (const cidrs of [[], ["10.0.0.0/8"]]) {
      expect(new Proxies(cidrs).reached(requestFrom("192.0.2.7", spoofed))).toEqual({
        ...{ address: "192.0.2.7", host: "hadal.example:7400", protocol: "http", isByProxy: false },
      });
    }
  });

  test("of a trusted proxy they are what the nearest one wrote", () => {
    const headers = { ...spoofed, "x-forwarded-host": "evil.example, team.example" };
    for (const peer of ["10.1.2.3", "::ffff:10.1.2.3"]) {
      expect(new Proxies(["10.0.0.0/8"]).reached(requestFrom(peer, headers))).toEqual({
        ...{ address: "9.9.9.9", host: "team.example", protocol: "https", isByProxy: true },
      });
    }
  });

  test.each([
    ["1.1.1.1, 9.9.9.9", "9.9.9.9"],
    ["1.1.1.1, 9.9.9.9, 10.0.0.4", "9.9.9.9"],
    ["1.1.1.1, nonsense, 10.0.0.4", "10.0.0.4"],
    ["", "10.0.0.9"],
    ["10.0.0.1", "10.0.0.1"],
    ["::ffff:9.9.9.9", "9.9.9.9"],
    ["2001:db8::1", "2001:db8::1"],
  ])("the client of %j is the last address that is no proxy: %s", (forwarded, client) => {
    const proxies = new Proxies(["10.0.0.0/8"]);
    const request = requestFrom("10.0.0.9", { host: "h", "x-forwarded-for": forwarded });
    expect(proxies.reached(request).address).toBe(client);
  });

  test("a protocol that is none is that of the connection", () => {
    const proxies = new Proxies(["::1", "fd00::/8"]);
    const headers = { host: "h", "x-forwarded-proto": "javascript" };
    expect(proxies.reached(requestFrom("fd00::1", headers, true)).protocol).toBe("https");
    expect(proxies.reached(requestFrom("::1", headers)).protocol).toBe("http");
  });

  test("an address that cannot be read is trusted by nothing", () => {
    expect(new Proxies(["0.0.0.0/0", "::/0"]).trusts("")).toBe(false);
  });
});
