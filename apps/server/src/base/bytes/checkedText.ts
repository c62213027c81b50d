import { createHash } from "node:crypto";

/** A text after a line with its format and checksum: `<format> <SHA-256>`. */
export function printChecked(format: string, text: string): Buffer {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${format} ${sha256(body)}\n`), body]);
}

/** The text, or an error that describes the damage. */
export function readChecked(format: string, bytes: Buffer): string {
  const end = bytes.indexOf(0x0a);
  const [found, hash] = bytes.toString("utf8", 0, Math.max(0, end)).split(" ");
  if (found !== format) throw new Error(`its format is not ${format}`);
  const body = bytes.subarray(end + 1);
  if (sha256(body) !== hash) throw new Error("its checksum does not match");
  return body.toString("utf8");
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
