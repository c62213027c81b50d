import { expect, test } from "vitest";
import { allowedInWords } from "./allowedInWords.js";

const form = {
  ...{ views: ["timeseries"], filter: [], hiddenColumns: [], groupBy: [] },
  ...{ rangeMsMax: 86_400_000, expiresInMs: 3_600_000 },
};

test("the least that an embed can allow", () => {
  expect(allowedInWords(form)).toEqual([
    "Visitors see “Time series”, at most 1 day at once.",
    "They see every row that its maker may read.",
    "They cannot group or list values.",
    "They see no time buckets.",
    "They see no single rows.",
  ]);
});

test("each part that is allowed, and what is not", () => {
  const words = allowedInWords({
    ...form,
    views: ["timeseries", "rows"],
    filter: [{ column: "country", op: "=", value: "DE" }],
    hiddenColumns: ["ip"],
    groupBy: ["time", "service"],
  });
  expect(words).toContain("They see only rows with country = DE.");
  expect(words).toContain("They can group by service, and list the values.");
  expect(words).toContain("They see changes over time.");
  expect(words).toContain("They read single rows without ip.");
  expect(allowedInWords({ ...form, hiddenColumns: ["ip"] })).toContain(
    "ip cannot be read or filtered by.",
  );
});
