import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readKey } from "./readKey.js";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwkOf = (key: typeof publicKey): string => JSON.stringify(key.export({ format: "jwk" }));
const reasonOf = (text: string): string => {
  const read = readKey(text);
  return read.ok ? "" : read.reason;
};

describe("a pasted key", () => {
  test("is read as JWK, without members that are none of the key", () => {
    const { kty, crv, x } = publicKey.export({ format: "jwk" });
    const text = `\n${JSON.stringify({ kty, crv, x, use: "sig", kid: "mine" }, null, 2)} `;
    expect(readKey(text)).toEqual({ ok: true, key: { jwk: { kty, crv, x } } });
  });

  test("is read as PEM", () => {
    const pem = publicKey.export({ format: "pem", type: "spki" }) as string;
    expect(readKey(`  ${pem}\n`)).toEqual({ ok: true, key: { publicKey: pem } });
  });

  test.each([
    ["as JWK", jwkOf(privateKey)],
    ["as PEM", privateKey.export({ format: "pem", type: "pkcs8" }) as string],
    ["of HMAC", JSON.stringify({ kty: "oct", k: "c2VjcmV0" })],
  ])("that is secret is refused: %s", (_name, text) => {
    expect(reasonOf(text)).toContain("private key");
  });

  test.each([
    ["another kind as JWK", jwkOf(ec.publicKey), /Ed25519/],
    [
      "another kind as PEM",
      ec.publicKey.export({ format: "pem", type: "spki" }) as string,
      /Ed25519/,
    ],
    ["half a JWK", '{"kty":"OKP"', /not JSON/],
    ["a short key", '{"kty":"OKP","crv":"Ed25519","x":"abc"}', /32 bytes/],
    ["a key set", '{"keys":[]}', /one of them/],
    ["nothing", "  ", /Paste/],
    ["something else", "ssh-ed25519 AAAAC3Nza", /neither/],
  ])("says what is wrong: %s", (_name, text, reason) => {
    expect(reasonOf(text)).toMatch(reason);
  });
});
