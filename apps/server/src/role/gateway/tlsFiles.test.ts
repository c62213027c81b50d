import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withFolder } from "../../ingest/testing/gateway.js";
import { readTlsFiles } from "./tlsFiles.js";

const file = (name: string) =>
  fileURLToPath(new URL(`../../../test/support/tls/${name}`, import.meta.url));
const tlsCert = file("test-only-certificate.pem");
const tlsKey = file("test-only-key.pem");

test("a certificate has the names of hosts that the server may be called by; wildcards are none", async () => {
  expect(await readTlsFiles({ tlsCert, tlsKey })).toMatchObject({ names: ["hadal.test"] });
  expect(await readTlsFiles({ tlsCert: null, tlsKey: null })).toBeNull();
});

test("files that are of no use are named, without the words of OpenSSL and without their content", () =>
  withFolder(async (folder) => {
    const other = join(folder, "other.pem");
    await writeFile(other, "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n");
    const gone = join(folder, "gone.pem");
    for (const [files, detail] of [
      [{ tlsCert: gone, tlsKey }, `--tls-cert: ${gone} cannot be read (ENOENT).`],
      [{ tlsCert, tlsKey: gone }, `--tls-key: ${gone} cannot be read (ENOENT).`],
      [{ tlsCert: tlsKey, tlsKey }, `--tls-cert: ${tlsKey} is no certificate in PEM.`],
      [{ tlsCert, tlsKey: other }, `--tls-key: ${other} is not the key of ${tlsCert} in PEM.`],
    ] as const) {
      await expect(readTlsFiles(files)).rejects.toMatchObject({
        ...{ code: "bad-request", message: detail },
      });
    }
  }));
