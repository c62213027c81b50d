import { expect, test } from "vitest";
import { connectionsWithin, openFilesMax } from "./openFiles.js";

test("connections leave room for other files, and one client leaves half of it to the others", () => {
  const wanted = { connections: 10_000, connectionsPerClient: 1_000 };
  expect(connectionsWithin(wanted, null)).toEqual(wanted);
  expect(connectionsWithin(wanted, 1_048_576)).toEqual(wanted);
  expect(connectionsWithin(wanted, 1_024)).toEqual({ connections: 768, connectionsPerClient: 384 });
  expect(connectionsWithin(wanted, 256)).toEqual({ connections: 192, connectionsPerClient: 96 });
});

test("reads how many files this process may open", async () => {
  expect(await openFilesMax()).toBeGreaterThan(64);
});
