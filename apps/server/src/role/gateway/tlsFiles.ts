import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { HadalError } from "@hadal/sdk";
import type { AccessSettings } from "../../base/access/accessSettings.js";

/** A certificate with its key, as they were read at the start. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** The names of hosts that it is for. */
  readonly names: readonly string[];
}

/** Reads the certificate; null: the server speaks plain HTTP. Rejects with one sentence where the files are of no use. */
export async function readTlsFiles({
  tlsCert,
  tlsKey,
}: Pick<AccessSettings, "tlsCert" | "tlsKey">): Promise<TlsFiles | null> {
  if (tlsCert === null || tlsKey === null) return null;
  const cert = await readPem("--tls-cert", tlsCert);
  const key = await readPem("--tls-key", tlsKey);
  const names = read(`--tls-cert: ${tlsCert} is no certificate in PEM`, () => namesOf(cert));
  read(`--tls-key: ${tlsKey} is not the key of ${tlsCert} in PEM`, () =>
    createSecureContext({ cert, key }),
  );
  return { cert, key, names };
}

async function readPem(flag: string, path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw refused(`${flag}: ${path} cannot be read (${error.code})`);
  });
}

/** A wildcard is for no single host. */
function namesOf(cert: Buffer): readonly string[] {
  const { subjectAltName = "" } = new X509Certificate(cert);
  return [...subjectAltName.matchAll(/DNS:([\w.-]+)(?:,|$)/g)].map(([, name]) => name!);
}

function read<T>(problem: string, reading: () => T): T {
  try {
    return reading();
  } catch {
    // Not OpenSSL's own words, which only its makers understand.
    throw refused(problem);
  }
}

function refused(problem: string): HadalError {
  return new HadalError("bad-request", { detail: `${problem}.` });
}
