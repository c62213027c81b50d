import { describe, expect, test } from "vitest";
import { embedIdOf } from "./embedIdOf.js";
import { readFragment } from "./fragment.js";
import { parentPage } from "./parentPage.js";

test("the fragment gives attributes of the chart, and none else", () => {
  const hash = "#token=a.b.c&query=%7B%22table%22%3A%22t%22%7D&time-zone=UTC&src=//evil&onclick=x";
  expect(Object.fromEntries(readFragment(hash))).toEqual({
    ...{ token: "a.b.c", query: '{"table":"t"}', "time-zone": "UTC" },
  });
  expect(readFragment("").size).toBe(0);
});

test.each([
  ["/embed/7a4f9f0e-6c1d", "7a4f9f0e-6c1d"],
  ["/embed/a%20key%2F1", "a key/1"],
])("the frame %s is of the embed %s", (path, id) => {
  expect(embedIdOf(path)).toBe(id);
});

/** A window within another one, and what is posted to the other. */
function frameIn(origins: readonly string[] | undefined, referrer = "") {
  const sent: { message: unknown; origin: string }[] = [];
  const parent = {
    postMessage: (message: unknown, origin: string) => void sent.push({ message, origin }),
  };
  const frame = new EventTarget();
  const location = origins === undefined ? {} : { ancestorOrigins: origins };
  Object.assign(frame, { parent, location, document: { referrer } });
  const tokens: string[] = [];
  const joined = parentPage(frame as unknown as Window);
  joined?.onToken((token) => void tokens.push(token));
  const post = (
    data: unknown,
    { origin = "https://host.example", source = parent as unknown } = {},
  ) => frame.dispatchEvent(Object.assign(new Event("message"), { data, origin, source }));
  return { sent, tokens, post, joined };
}

describe("messages of the frame", () => {
  const token = { hadal: "token", token: "t" };

  test("go to the page around it only, by its origin", () => {
    const { sent, joined } = frameIn(["https://host.example", "https://top.example"]);
    joined?.send({ hadal: "tokenexpiring" });
    expect(sent).toEqual([{ message: { hadal: "tokenexpiring" }, origin: "https://host.example" }]);
  });

  test("the referrer says the origin where the browser does not", () => {
    const { sent, joined } = frameIn(undefined, "https://host.example/pages/one?q=1");
    joined?.send({ hadal: "ready" });
    expect(sent[0]?.origin).toBe("https://host.example");
  });

  test("go nowhere while the origin is not known", () => {
    const { sent, post, tokens, joined } = frameIn(["null"]);
    joined?.send({ hadal: "ready" });
    expect(sent).toEqual([]);
    post(token);
    joined?.send({ hadal: "complete" });
    expect([tokens, sent[0]?.origin]).toEqual([["t"], "https://host.example"]);
  });

  test("come from the page around it only", () => {
    const { tokens, post } = frameIn(["https://host.example"]);
    post(token, { origin: "https://evil.example" });
    post(token, { source: {} });
    expect(tokens).toEqual([]);
    post(token);
    expect(tokens).toEqual(["t"]);
  });

  test.each([
    null,
    "token",
    7,
    {},
    { hadal: "token" },
    { hadal: "token", token: "" },
    { token: "t" },
  ])("%j is no token", (data) => {
    const { tokens, post } = frameIn(["https://host.example"]);
    post(data);
    expect(tokens).toEqual([]);
  });

  test("a page of its own has no page around it", () => {
    const own = new EventTarget();
    Object.assign(own, { parent: own });
    expect(parentPage(own as unknown as Window)).toBeNull();
  });
});
