import { readFile, writeFile } from "node:fs/promises";
import { headOf } from "../../base/bytes/sections.js";

/** Positions of the parts in a segment's file, by name: "times", columns, and "histogram of …". */
export function partsOfFile(file: Uint8Array): ReadonlyMap<string, readonly [number, number]> {
  const { content, sections } = readSegmentHead(file);
  const names = [
    "times",
    ...content.columns.map(({ name }) => name),
    ...content.columns
      .filter(({ histogram }) => histogram !== undefined)
      .map(({ name }) => `histogram of ${name}`),
  ];
  let section = 0;
  return new Map(
    content.parts.map(([count], i) => {
      const own = sections.slice(section, section + count).filter(([start, end]) => end > start);
      section += count;
      return [names[i]!, [own[0]![0], own.at(-1)![1]]];
    }),
  );
}

/** Changes a bit of one part. */
export async function damagePart(path: string, part: string): Promise<void> {
  const bytes = await readFile(path);
  const [start] = partsOfFile(bytes).get(part)!;
  bytes[start]! ^= 1;
  await writeFile(path, bytes);
}

/** Changes a bit that no part of the segment can be read without. */
export async function damageHead(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[payloadStart + 20]! ^= 1;
  await writeFile(path, bytes);
}

/** The head of a segment's file as JSON, and the positions of the payload's sections. */
function readSegmentHead(file: Uint8Array) {
  const head = headOf(file.subarray(payloadStart));
  const { head: content, bytes } = JSON.parse(new TextDecoder().decode(head.subarray(8))) as {
    readonly head: {
      readonly columns: readonly { readonly name: string; readonly histogram?: object }[];
      readonly parts: readonly (readonly [sectionCount: number, checksum: string])[];
    };
    readonly bytes: readonly number[];
  };
  const sections: (readonly [start: number, end: number])[] = [];
  let at = payloadStart + align8(head.length);
  for (const length of bytes) {
    sections.push([at, at + length]);
    at += align8(length);
  }
  return { content, sections };
}

const payloadStart = 48;
const align8 = (bytes: number): number => Math.ceil(bytes / 8) * 8;
