import { describe, expect, test } from "vitest";
import { type PastQuestion, readHistory, remember, type TextStore } from "./history.js";

function memory(text: string | null = null): TextStore & { text: string | null } {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}
const pastQuery = (n: number): PastQuestion => ({
  url: `/explore?table=t${n}`,
  title: `t${n}`,
  atMs: n,
});

describe("past queries", () => {
  test("the newest comes first, each query once, at most 200", () => {
    const store = memory();
    for (let n = 0; n < 250; n++) remember(store, pastQuery(n));
    remember(store, { ...pastQuery(100), atMs: 999 });
    const past = readHistory(store);
    expect(past).toHaveLength(200);
    expect(past.slice(0, 2)).toEqual([{ ...pastQuery(100), atMs: 999 }, pastQuery(249)]);
    expect(past.filter(({ url }) => url === pastQuery(100).url)).toHaveLength(1);
  });
  test.each([
    "no json",
    "5",
    '{"0":1}',
    '[null,5,{"url":"https://evil.example","title":"x","atMs":1},{"url":"/explore?a","atMs":1}]',
  ])("unreadable history is empty: %s", (text) => expect(readHistory(memory(text))).toEqual([]));
});
