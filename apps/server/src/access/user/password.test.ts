import { expect, test } from "vitest";
import { Passwords } from "./password.js";

test("a hash names argon2id with its cost, and fits its password alone", async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash("correct horse");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.hash("correct horse")).not.toBe(hash);
  expect(await passwords.isRight(hash, "correct horse")).toBe(true);
  expect(await passwords.isRight(hash, "correct horsf")).toBe(false);
  expect(await passwords.isRight(null, "correct horse")).toBe(false);
});

test("the same characters count the same, however a keyboard composes them", async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash("caf\u00e9 caf\u00e9");
  expect(await passwords.isRight(hash, "cafe\u0301 cafe\u0301")).toBe(true);
});

test("beyond two that are compared and 64 that wait, the next is refused at once", async () => {
  const passwords = new Passwords();
  const attempts = Array.from({ length: 70 }, (_, i) => passwords.isRight(null, `password ${i}`));
  const outcomes = await Promise.allSettled(attempts);
  const refused = outcomes.flatMap((outcome, i) => (outcome.status === "rejected" ? [i] : []));
  expect(refused).toEqual([66, 67, 68, 69]);
  expect(outcomes[66]).toMatchObject({ reason: { code: "quota-exceeded", status: 429 } });
  expect(await passwords.isRight(null, "one more password")).toBe(false);
});
