import { describe, expect, test } from "vitest";
import { credentialsOf } from "./identify.js";

const reached = { address: "9.9.9.9", host: "h", protocol: "https", isByProxy: true } as const;
const names = { name: "x-user", groups: "x-groups" };

/** As Node reads these lines: repeated ones joined, and apart. */
function requestOf(lines: Readonly<Record<string, readonly string[]>>) {
  const entries = Object.entries(lines).map(([name, values]) => [name, values.join(", ")]);
  return { headers: Object.fromEntries(entries), headersDistinct: lines as never };
}

describe("who a proxy says has signed in", () => {
  test("is the person of its one header, with the groups", () => {
    const request = requestOf({ "x-user": ["ann"], "x-groups": ["shop, ops"] });
    expect(credentialsOf(request, reached, names).external).toEqual({
      ...{ name: "ann", groups: ["shop", "ops"] },
    });
    expect(credentialsOf(request, { ...reached, isByProxy: false }, names).external).toBeNull();
    expect(credentialsOf(request, reached, null).external).toBeNull();
  });

  test.each([
    [{ "x-user": ["root", "ann"], "x-groups": ["shop"] }],
    [{ "x-user": ["ann"], "x-groups": ["admins", "shop"] }],
    [{ "x-user": ["root, ann"] }],
    [{ "x-user": [" "] }],
    [{}],
  ])("is no one where the client may have sent a header of its own: %j", (lines) => {
    const request = requestOf(lines as Record<string, string[]>);
    expect(credentialsOf(request, reached, names).external).toBeNull();
  });
});

test.each([
  [{ authorization: ["Bearer hdl_a"] }, "hdl_a"],
  [{ authorization: ["bearer  hdl_a "] }, "hdl_a"],
  [{ authorization: ["Basic YTpi"] }, ""],
  [{ authorization: ["Bearer a b"] }, ""],
  [{ "sec-websocket-protocol": ["hadal.v1, hadal.bearer.hdl_a"] }, "hdl_a"],
  [{ "sec-websocket-protocol": ["hadal.v1"] }, null],
  [{ cookie: ["hadal_session=s"] }, null],
])("%j carries the token %j", (lines, token) => {
  const request = requestOf(lines as Record<string, string[]>);
  expect(credentialsOf(request, reached, null).token).toBe(token);
});

test.each([
  ["hadal_session=s-_1", "s-_1"],
  ["a=b; hadal_session=s; c=d", "s"],
  ["a=b;hadal_session=s;c=d", "s"],
  ["xhadal_session=s", null],
  ["a=hadal_session=s", null],
  ["hadal_session=", null],
  ["hadal_session=s%20", null],
])("the cookies %j have the session %j", (cookie, session) => {
  expect(credentialsOf(requestOf({ cookie: [cookie] }), reached, null).session).toBe(session);
});
