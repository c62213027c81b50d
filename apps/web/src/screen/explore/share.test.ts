import { describe, expect, test } from "vitest";
import {
  type PastQuestion,
  readHistory,
  remember,
  type TextStore,
} from "../../draft/history/history.js";

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
const question = (n: number): PastQuestion => ({
  url: `/explore?table=t${n}`,
  title: `t${n}`,
  atMs: n,
});

describe("past questions", () => {
  test("the newest comes first, the same one once, no more than there is room for", () => {
    const store = memory();
    for (let n = 0; n < 250; n++) remember(store, question(n));
    remember(store, { ...question(100), atMs: 999 });
    const past = readHistory(store);
    expect(past).toHaveLength(200);
    expect(past.slice(0, 2)).toEqual([{ ...question(100), atMs: 999 }, question(249)]);
    expect(past.filter(({ url }) => url === question(100).url)).toHaveLength(1);
  });
  test.each([
    "no json",
    "5",
    '{"0":1}',
    '[null,5,{"url":"https://evil.example","title":"x","atMs":1},{"url":"/explore?a","atMs":1}]',
  ])("what is no history is none: %s", (text) => expect(readHistory(memory(text))).toEqual([]));
});
