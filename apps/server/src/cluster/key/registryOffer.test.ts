import { expect, test } from "vitest";
import { askForRegistry, openRegistryOffer, sealRegistry } from "./registryOffer.js";

const key = "a key that all members have";
const url = "postgres://hadal:secret@10.0.0.9:5432/hadal";

test("who has the key learns the address, which no one else can read", () => {
  const asked = askForRegistry(key);
  const sealed = sealRegistry(key, asked, url)!;
  expect(openRegistryOffer(key, asked, sealed)).toBe(url);
  expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("secret");
  expect(sealRegistry(key, asked, url)).not.toBe(sealed);
});

test("without the key there is no answer, and an answer to another request is not believed", () => {
  const asked = askForRegistry(key);
  expect(sealRegistry(key, askForRegistry("another key of a cluster"), url)).toBeNull();
  expect(sealRegistry(key, { ...asked, proof: "" }, url)).toBeNull();
  expect(sealRegistry(key, { ...asked, nonce: "x" }, url)).toBeNull();
  const sealed = sealRegistry(key, asked, url)!;
  expect(() => openRegistryOffer(key, askForRegistry(key), sealed)).toThrow();
  expect(() => openRegistryOffer("another key of a cluster", asked, sealed)).toThrow();
  for (const wrong of ["", "AAAA", `${sealed.slice(0, -8)}AAAAAAA=`])
    expect(() => openRegistryOffer(key, asked, wrong)).toThrow();
});
