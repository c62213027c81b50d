import { describe, expect, test } from "vitest";
import { type GivenInputs, readInputs } from "./inputs.js";

const page = "https://host.example/pages/one";

function read(attributes: Readonly<Record<string, string>>, given: GivenInputs = {}) {
  const server = { src: "https://hadal.example", ...attributes };
  return readInputs((name) => server[name as keyof typeof server] ?? null, given, page);
}

describe("what a host asks for", () => {
  test("attributes, with defaults for those that are not there", () => {
    expect(read({})).toEqual({
      ...{ src: "https://hadal.example", token: null, query: null, view: null },
      ...{ theme: "auto", timeZone: null, live: false, fault: null, embedId: null },
    });
    expect(read({ "data-embed": "e1" }).embedId).toBe("e1");
    const query = { table: "requests", from: "-1h", to: "now" };
    const shown = read({
      ...{ token: "t", query: JSON.stringify(query), view: "bar" },
      ...{ theme: "dark", "time-zone": "Asia/Tokyo", live: "" },
    });
    expect(shown).toMatchObject({ token: "t", query, view: "bar", theme: "dark" });
    expect(shown).toMatchObject({ timeZone: "Asia/Tokyo", live: true, fault: null });
  });

  test("a property wins; null leaves it to the attribute", () => {
    expect(read({ view: "bar" }, { view: "table" }).view).toBe("table");
    expect(read({ view: "bar" }, { view: null }).view).toBe("bar");
    expect(read({ live: "" }, { live: false }).live).toBe(false);
    expect(read({ live: "false" }).live).toBe(false);
    expect(read({ theme: "pink" }).theme).toBe("auto");
  });

  test.each([
    ["https://hadal.example/", "https://hadal.example"],
    ["https://hadal.example/base//", "https://hadal.example/base"],
    ["/", "https://host.example"],
    ["//other.example:8443/x?y#z", "https://other.example:8443/x"],
  ])("the server %s is %s", (src, expected) => {
    expect(read({ src })).toMatchObject({ src: expected, fault: null });
  });

  test.each(["", "javascript:alert(1)", "data:text/html,x", "http://", "blob:https://a/b"])(
    "%j is no server",
    (src) => {
      expect(read({ src })).toMatchObject({ src: "", fault: expect.stringMatching(/src/) });
    },
  );

  test.each(["{", "[]", "7", "null", '"requests"', '{"from":"-1h"}', '{"table":7}'])(
    "%s is no query",
    (query) => {
      expect(read({ query })).toMatchObject({ query: null, fault: expect.stringMatching(/query/) });
    },
  );
});
