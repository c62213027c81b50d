import { expect, test } from "vitest";
import { clientOf, personOfClient, turnNames } from "./client.js";

test.each([
  [{ person: "user:1", address: "::1", name: "s" }, ["user:1", "user:1 ::1", "user:1 ::1 s"]],
  [{ person: "user:1", address: "::1" }, ["user:1", "user:1 ::1", "user:1 ::1"]],
  [{ person: null, address: "::1", name: "s" }, ["::1", "::1 s", "::1 s"]],
  [{ person: null, address: "::1" }, ["::1", "::1", "::1"]],
])("%o has its turns as %o", (client, names) => {
  const text = clientOf(client);
  expect(turnNames(text)).toEqual(names);
  expect(personOfClient(text)).toBe(names[0]);
});
