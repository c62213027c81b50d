// Nanoseconds a row and GB/s of each operation on one core: node
// packages/kernel-wasm/bench/operations.mjs [part of a name]. Columns of one segment (65,536 rows):
// they fit the L2 cache, as a scan's do.
import { readFileSync } from "node:fs";
import { compressSync } from "lz4-napi";

const rowCount = 65_536;
const memory = new WebAssembly.Memory({ initial: 4096, maximum: 4096, shared: true });
const module = new WebAssembly.Module(
  readFileSync(new URL("../build/kernel.wasm", import.meta.url)),
);
const { exports: wasm } = new WebAssembly.Instance(module, { env: { memory } });
const view = new DataView(memory.buffer);
const wanted = process.argv[2] ?? "";

let next = 65_536;
function region(bytes) {
  const address = next;
  next += Math.ceil((bytes + 64) / 64) * 64;
  return address;
}
let state = 42;
function random(bound) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % bound;
}
function column(width, valueAt, count = rowCount) {
  const address = region(count * width);
  for (let i = 0; i < count; i++) {
    const value = valueAt(i);
    if (width === 1) view.setUint8(address + i, value);
    else if (width === 2) view.setUint16(address + i * 2, value, true);
    else if (width === 3) {
      view.setUint16(address + i * 3, value & 0xffff, true);
      view.setUint8(address + i * 3 + 2, value >>> 16);
    } else if (width === 4) view.setUint32(address + i * 4, value, true);
    else view.setBigInt64(address + i * 8, BigInt(value), true);
  }
  return address;
}
function bitmap(setOf, count = rowCount) {
  const address = region(count / 8);
  for (let i = 0; i < count; i++) {
    if (random(setOf) === 0) {
      const at = address + (i >> 3);
      view.setUint8(at, view.getUint8(at) | (1 << (i & 7)));
    }
  }
  return address;
}

function bench(name, bytesPerRow, run, rows = rowCount) {
  if (!name.includes(wanted)) return;
  const warmUntil = performance.now() + 60;
  while (performance.now() < warmUntil) run();
  const roundsNs = [];
  for (let round = 0; round < 15; round++) {
    let calls = 0;
    const begin = performance.now();
    do {
      run();
      calls++;
    } while (performance.now() - begin < 8);
    roundsNs.push(((performance.now() - begin) * 1e6) / calls / rows);
  }
  roundsNs.sort((a, b) => a - b);
  const best = roundsNs[0];
  const median = roundsNs[7];
  const speed = bytesPerRow > 0 ? `${(bytesPerRow / median).toFixed(1)} GB/s` : "";
  console.log(
    `${name.padEnd(52)} ${best.toFixed(3).padStart(8)} best ${median.toFixed(3).padStart(8)} median ns/row  ${speed}`,
  );
}

const v1 = column(1, () => random(200));
const v2 = column(2, () => random(5000));
const v3 = column(3, () => random(1_000_000));
const v4 = column(4, () => random(1_000_000));
const v8 = column(8, () => random(1_000_000));
const timeOffsets = column(4, (i) => i * 150 + random(100));
const times8 = column(8, (i) => 1_700_000_000_000 + i * 150 + random(600_000));
const weights = column(1, () => 1 + random(100));
const half = bitmap(2);
const tenth = bitmap(10);
const present = bitmap(1);
const out = region(rowCount / 8 + 8);
const listed = region(rowCount * 4 + 64);
const listedCount = wasm.rowsOfSelection(half, rowCount, listed);
const groups200 = column(4, () => random(200));
const groupsRuns = column(4, (i) => i >> 8);
const groups5000 = column(4, () => random(5000));
const groupsOut = region(rowCount * 4);
const keys = region(rowCount * 8);
const sums = region(5000 * 24);
const histogram = region(5000 * 8 * 2048);
const edgeCount = 200;
const edges = column(8, (i) => i * 60_000, edgeCount + 1);
const codes = bitmap(3, 8192);
const order = region(rowCount * 4);
const scratch = region(rowCount * 16 + 4096);
const permuted = region(rowCount * 8);

for (const [width, values] of [
  [1, v1],
  [2, v2],
  [4, v4],
  [8, v8],
]) {
  bench(`selectRange ${width} B`, width, () =>
    wasm.selectRange(out, values, width, rowCount, 20n, 100n),
  );
}
bench("selectCodes 1 B, any set", 1, () =>
  wasm.selectCodes(out, v1, 1, rowCount, codes, 200, scratch),
);
bench("selectCodes 2 B, any set", 2, () =>
  wasm.selectCodes(out, v2, 2, rowCount, codes, 5000, scratch),
);
bench("selectCodes 4 B, any set", 4, () =>
  wasm.selectCodes(out, v4, 4, rowCount, codes, 5000, scratch),
);
bench("andInto", 0.25, () => wasm.andInto(half, half, rowCount));
bench("countSelected", 0.125, () => wasm.countSelected(half, rowCount));
bench("rowsOfSelection, half", 0, () => wasm.rowsOfSelection(half, rowCount, order));
bench("rowsOfSelection, a tenth", 0, () => wasm.rowsOfSelection(tenth, rowCount, order));
bench("rowsOfSelection, all", 0, () => wasm.rowsOfSelection(present, rowCount, order));

for (const [width, values] of [
  [1, v1],
  [2, v2],
  [4, v4],
]) {
  bench(`addCodeGroups ${width} B`, width + 8, () =>
    wasm.addCodeGroups(groupsOut, values, width, 0, rowCount, 0, 3),
  );
}
bench(
  "addCodeGroups 1 B, listed",
  0,
  () => wasm.addCodeGroups(groupsOut, v1, 1, 0, listedCount, listed, 3),
  listedCount,
);
bench("addIntGroups 2 B", 0, () => wasm.addIntGroups(groupsOut, v2, 2, 0, 0, rowCount, 0, 5n, 3));
bench("addIntGroups 2 B, missing", 0, () =>
  wasm.addIntGroups(groupsOut, v2, 2, half, 0, rowCount, 0, 5n, 3),
);
bench("addEdgeGroups 4 B, ascending", 0, () =>
  wasm.addEdgeGroups(groupsOut, timeOffsets, 4, 0n, 0, rowCount, 0, edges, edgeCount, 7),
);
bench(
  "addEdgeGroups 4 B, ascending, listed",
  0,
  () =>
    wasm.addEdgeGroups(groupsOut, timeOffsets, 4, 0n, 0, listedCount, listed, edges, edgeCount, 7),
  listedCount,
);
bench("addCodeKeys 1 B", 0, () => wasm.addCodeKeys(keys, v1, 1, 0, rowCount, 0, 200n));
for (const distinct of [1000, 30_000]) {
  const distinctKeys = column(8, () => random(distinct) * 7919);
  const slots = region(131_072 * 4);
  const tableKeys = region(65_536 * 8);
  let groupCount = 0;
  wasm.clearHashTable(slots, 131_072);
  bench(`hashKeys, ${distinct} distinct`, 0, () => {
    groupCount = wasm.hashKeys(
      groupsOut,
      distinctKeys,
      rowCount,
      slots,
      131_072,
      tableKeys,
      65_536,
      groupCount,
    );
  });
}

bench("addRows, 200 groups at random", 4, () => wasm.addRows(sums, groups200, rowCount));
bench("addRows, groups in runs", 4, () => wasm.addRows(sums, groupsRuns, rowCount));
bench("addRows, 5,000 groups at random", 4, () => wasm.addRows(sums, groups5000, rowCount));
bench("addWeights 1 B, ungrouped", 1, () =>
  wasm.addWeights(sums, 0, 0, rowCount, 0, weights, 1, 0),
);
bench("addWeights 1 B, 200 groups", 0, () =>
  wasm.addWeights(sums, groups200, 0, rowCount, 0, weights, 1, 0),
);
for (const [width, values] of [
  [1, v1],
  [2, v2],
  [3, v3],
  [4, v4],
  [8, v8],
]) {
  const name = `addProducts ${width} B`;
  bench(`${name}, ungrouped`, width, () =>
    wasm.addProducts(sums, 0, 0, rowCount, 0, values, width, 7n, 0, 0, 0),
  );
  bench(`${name}, ungrouped, weighted`, width + 1, () =>
    wasm.addProducts(sums, 0, 0, rowCount, 0, values, width, 7n, weights, 1, 0),
  );
  bench(`${name}, ungrouped, missing`, width, () =>
    wasm.addProducts(sums, 0, 0, rowCount, 0, values, width, 7n, 0, 0, half),
  );
  bench(`addSpread ${width} B, ungrouped`, width + 1, () =>
    wasm.addSpread(sums, 0, 0, rowCount, 0, values, width, 7n, weights, 1, 0, 1),
  );
  bench(`addSpread ${width} B, 200 groups`, 0, () =>
    wasm.addSpread(sums, groups200, 0, rowCount, 0, values, width, 7n, weights, 1, 0, 1),
  );
  bench(`${name}, 200 groups`, 0, () =>
    wasm.addProducts(sums, groups200, 0, rowCount, 0, values, width, 7n, 0, 0, 0),
  );
  bench(`${name}, 200 groups, weighted`, 0, () =>
    wasm.addProducts(sums, groups200, 0, rowCount, 0, values, width, 7n, weights, 1, 0),
  );
}
bench("addProducts 4 B, groups in runs", 0, () =>
  wasm.addProducts(sums, groupsRuns, 0, rowCount, 0, v4, 4, 7n, 0, 0, 0),
);
bench("addProducts 4 B, 200 groups, missing", 0, () =>
  wasm.addProducts(sums, groups200, 0, rowCount, 0, v4, 4, 7n, 0, 0, half),
);
bench(
  "addProducts 4 B, 200 groups, listed",
  0,
  () => wasm.addProducts(sums, groups200, 0, listedCount, listed, v4, 4, 7n, 0, 0, 0),
  listedCount,
);
bench("addWideProducts 8 B, 200 groups", 0, () =>
  wasm.addWideProducts(sums, groups200, 0, rowCount, 0, v8, 8, 0n, weights, 1, 0),
);
bench("addMinimums 4 B, ungrouped", 4, () =>
  wasm.addMinimums(sums, 0, 0, rowCount, 0, v4, 4, 0n, 0),
);
bench("addMaximums 4 B, 200 groups", 0, () =>
  wasm.addMaximums(sums, groups200, 0, rowCount, 0, v4, 4, 0n, 0),
);
bench("addToHistograms 4 B, ungrouped, subBits 5", 0, () =>
  wasm.addToHistograms(histogram, 0, 0, rowCount, 0, v4, 4, 1n, 0, 0, 0, 0, 5, 0, 2048),
);
bench("addToHistograms 4 B, 200 groups, subBits 5", 0, () =>
  wasm.addToHistograms(histogram, groups200, 0, rowCount, 0, v4, 4, 1n, 0, 0, 0, 0, 5, 0, 640),
);
bench("addToHistograms 4 B, 200 groups, weighted", 0, () =>
  wasm.addToHistograms(
    histogram,
    groups200,
    0,
    rowCount,
    0,
    v4,
    4,
    1n,
    weights,
    1,
    0,
    0,
    5,
    0,
    640,
  ),
);
bench("addToHistograms 4 B, 5,000 groups, subBits 3", 0, () =>
  wasm.addToHistograms(histogram, groups5000, 0, rowCount, 0, v4, 4, 1n, 0, 0, 0, 0, 3, 0, 160),
);

const lowest = 1_700_000_000_000n;
const highest = lowest + BigInt(rowCount * 150 + 600_000);
bench("sortByTime, nearly sorted", 0, () =>
  wasm.sortByTime(order, permuted, times8, rowCount, lowest, highest, scratch),
);
bench("permuteInts 8 B to 4 B", 0, () =>
  wasm.permuteInts(permuted, 4, v8, 8, 0, order, rowCount, 0n),
);
bench("permuteCodes to 1 B", 0, () => wasm.permuteCodes(permuted, 1, groups200, order, rowCount));
bench("permuteBits", 0, () => wasm.permuteBits(out, half, order, rowCount));
bench("findRange", 8, () => wasm.findRange(sums, v8, 0, rowCount));

// Log lines: a few templates, numbers and ids that differ. One row in a thousand holds the needle.
const encoder = new TextEncoder();
const pick = (list) => list[random(list.length)];
const levels = ["INFO", "INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"];
const templates = [
  () => `request completed method=GET path=/api/v1/users/${random(99_999)} status=200`,
  () => `request completed method=POST path=/api/v1/orders status=${pick([201, 400, 500])}`,
  () => `connection to replica-${random(12)} timed out, retry ${random(5)} of 5`,
  () => `cache refresh of shard ${random(64)} took ${random(900)} ms`,
  () => `session ${random(2 ** 30).toString(16)} expired, user ${random(1_000_000)} logged out`,
];
const texts = Array.from({ length: rowCount }, (_, i) => {
  const time = new Date(1_795_000_000_000 + i * 131).toISOString();
  const line = `${time} ${pick(levels)} [worker-${random(16)}] ${pick(templates)()}`;
  return i % 1000 === 0 ? `${line} needle` : line;
}).map((text) => encoder.encode(text));
const pageBytesMax = 65_535;
const encoded = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0));
const pages = [];
let encodedBytes = 0;
for (const [row, text] of texts.entries()) {
  if (pages.length === 0 || encodedBytes + text.length - pages.at(-1).from > pageBytesMax) {
    pages.push({ from: encodedBytes, firstRow: row, offsets: [0] });
  }
  encoded.set(text, encodedBytes);
  encodedBytes += text.length;
  pages.at(-1).offsets.push(encodedBytes - pages.at(-1).from);
}
// As assembly/text/pageTable.ts has it.
const entryBytes = 28;
function writeDirectory(storedOf) {
  const directory = region(pages.length * entryBytes);
  for (const [i, { from, firstRow, offsets }] of pages.entries()) {
    const text = encoded.subarray(from, from + offsets.at(-1));
    const stored = storedOf(text);
    const address = region(stored.length);
    new Uint8Array(memory.buffer).set(stored, address);
    const offsetsAt = column(2, (k) => offsets[k], offsets.length);
    const compressedBytes = stored === text ? 0 : stored.length;
    const entry = [address, compressedBytes, text.length, firstRow, offsetsAt, 2, 0];
    for (const [word, value] of entry.entries()) {
      view.setUint32(directory + i * entryBytes + word * 4, value, true);
    }
  }
  return directory;
}
let compressedBytes = 0;
const raw = writeDirectory((text) => text);
const compressed = writeDirectory((text) => {
  // The library writes the length first.
  const block = compressSync(Buffer.from(text)).subarray(4);
  compressedBytes += block.length;
  return block;
});
const pageScratch = region(8_192 + pageBytesMax + 16);
const rowsLog2 = 15;
const signature = region(2 ** rowsLog2 * Math.ceil(pages.length / 8));
const bytesPerRow = encodedBytes / rowCount;
console.log(
  `text: ${pages.length} pages, LZ4 ${(encodedBytes / compressedBytes).toFixed(2)}x smaller`,
);
bench("signPages", bytesPerRow, () =>
  wasm.signPages(signature, rowsLog2, raw, pages.length, rowCount),
);
wasm.signPages(signature, rowsLog2, raw, pages.length, rowCount);
const block = new DataView(memory.buffer).getUint32(compressed, true);
bench("lz4Decompress", pageBytesMax / rowCount, () =>
  wasm.lz4Decompress(pageScratch, pageBytesMax, block, view.getUint32(compressed + 4, true)),
);
for (const needle of ["zebra", "needle", "WARN", "status=200", "ed"]) {
  const needleAt = region(64);
  new Uint8Array(memory.buffer).set(encoder.encode(needle), needleAt);
  for (const [name, directory, fold, sign] of [
    ["raw", raw, 0, false],
    ["raw, any case", raw, 1, false],
    ["raw, signature", raw, 0, true],
    ["LZ4", compressed, 0, false],
  ]) {
    bench(`searchPages ${name}, ${JSON.stringify(needle)}`, bytesPerRow, () => {
      if (sign) wasm.selectPages(out, signature, rowsLog2, pages.length, needleAt, needle.length);
      wasm.searchPages(
        ...[order, directory, pages.length, rowCount, sign ? out : 0],
        ...[needleAt, needle.length, fold, pageScratch],
      );
    });
  }
}
