import type { EmbedInfo } from "@hadal/sdk";
import { expect, test } from "vitest";
import { searchEmbeds } from "./searchEmbeds.js";

const embedOf = (id: string, part: Partial<EmbedInfo>, hosts: readonly string[]): EmbedInfo => ({
  ...{ id, title: "Errors", createdMs: 0, createdBy: null, revokedMs: null },
  scope: {
    ...{ title: "Errors", table: "requests", views: ["table"], filter: [], hiddenColumns: [] },
    ...{ groupBy: [], rangeMsMax: 1, frameAncestors: hosts, expiresInMs: 1 },
    ...{ query: null, view: null, mayOpen: null },
  },
  ...part,
});

test.each([
  ["", ["a", "b"]],
  [" LOAD ", ["b"]],
  ["Ann", ["b"]],
  ["shop.example", ["a"]],
  ["requests", ["a", "b"]],
  ["gone", []],
])("%j finds %j", (text, ids) => {
  const embeds = [
    embedOf("a", {}, ["https://shop.example"]),
    embedOf("b", { title: "Load", createdBy: "ann" }, []),
  ];
  expect(searchEmbeds(embeds, text).map(({ id }) => id)).toEqual(ids);
});
