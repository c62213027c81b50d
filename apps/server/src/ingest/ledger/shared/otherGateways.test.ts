import { expect, test } from "vitest";
import { OtherGateways } from "./otherGateways.js";

test("of a gateway with more open batches than it lists nothing is known: some may be hints", () => {
  const others = new OtherGateways(() => 0);
  const gateway = {
    ...{ id: "b", name: "b", epoch: 1, position: 0, publishedMs: 0, lateMs: 0, seenVersion: 0 },
    body: { settledMs: 0, placesOn: [], open: [] },
  };
  const read = { at: 0, wallMs: 0, databaseMs: 0 };
  others.update([gateway], read);
  expect(others.whyLate(1e15)).toBeNull();
  others.update([{ ...gateway, body: { ...gateway.body, isCut: true } }], read);
  expect(others.whyLate(-1e15)).toMatch("b has more batches");
});
