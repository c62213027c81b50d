/** Rooms of the packages, as in `roomsOfServer.cjs`. */
module.exports.roomsOfPackages = {
  "packages/sdk/src/model": {
    problem: [],
    // Machines and their copies, and plans of other clusters.
    cluster: [],
    ".": ["cluster"],
    dashboard: ["."],
    alert: ["."],
    ingest: ["."],
    time: [".", "problem"],
    builder: ["."],
    check: [".", "problem", "time", "dashboard", "alert", "ingest"],
    grafana: [".", "problem", "time", "check", "dashboard"],
  },
  "packages/sdk/src/lang": {
    base: [],
    parse: ["base"],
    lower: ["base"],
    print: ["base", "lower"],
    // printSql reads back what it prints.
    ".": ["base", "parse", "lower", "print"],
  },
  "packages/kernel-wasm/assembly": {
    base: ["abi.ts"],
    select: ["base"],
    group: ["base"],
    hash: ["abi.ts", "base"],
    aggregate: ["abi.ts", "base"],
    program: ["abi.ts", "base", "select", "aggregate"],
    seal: ["base"],
    text: ["abi.ts", "base"],
    json: ["abi.ts"],
    ".": ["base", "select", "group", "hash", "aggregate", "program", "seal", "text", "json"],
  },
  "packages/kernel-wasm/src": {
    base: [],
    json: ["base"],
    operations: ["base"],
    // Each plain twin has the type of its operations.
    reference: ["base", "operations"],
    ".": ["base", "json", "operations", "reference"],
  },
  "packages/kernel-wasm/src/operations": {
    select: [],
    group: [],
    hash: [],
    aggregate: [],
    program: [],
    seal: [],
    text: [],
  },
  "packages/kernel-wasm/src/reference": {
    "memoryView.ts": [],
    select: ["memoryView.ts"],
    group: ["memoryView.ts"],
    hash: ["memoryView.ts"],
    aggregate: ["memoryView.ts"],
    program: ["memoryView.ts"],
    seal: ["memoryView.ts"],
    text: ["memoryView.ts"],
  },
};
