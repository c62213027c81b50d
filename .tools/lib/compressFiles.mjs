import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const texts = /\.(js|css|html|svg|json)$/;
/** Smaller ones take one packet either way. */
const bytesMin = 1_400;

/** Beyond this level a build takes several times as long for a few hundredths. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** By the ending that the gateway looks for beside a file that is asked for. */
const encoders = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

/**
 * Writes compressed copies beside the text files of a folder, so that the server need not compress
 * them per request.
 */
export async function compressFiles(folder) {
  const entries = await readdir(folder, { recursive: true });
  await Promise.all(
    entries.filter((path) => texts.test(path)).map((path) => compress(join(folder, path))),
  );
}

async function compress(path) {
  const bytes = await readFile(path);
  if (bytes.length < bytesMin) return;
  for (const [ending, encode] of Object.entries(encoders)) {
    await writeFile(`${path}.${ending}`, await encode(bytes));
  }
}
