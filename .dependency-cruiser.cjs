/**
 * Import rules: which folders of its own package a folder may import, and which packages a package may import. Type
 * imports count. The tables are in `.tools/lib/imports`; `.tools/importRules.test.mjs` plants breaches and checks that
 * they are caught.
 */

const { extraFiles, layers } = require("./.tools/lib/imports/folders.cjs");
const { roomsOfPackages } = require("./.tools/lib/imports/roomsOfPackages.cjs");
const { roomsOfServer } = require("./.tools/lib/imports/roomsOfServer.cjs");
const { roomsOfWeb } = require("./.tools/lib/imports/roomsOfWeb.cjs");

const escapePath = (text) => text.replaceAll(/[.\\/-]/g, (sign) => `\\${sign}`);

const layerRules = Object.entries(layers).flatMap(([root, folders]) =>
  Object.entries(folders).map(([folder, allowed]) => ({
    name: `layout: ${root}/${folder}`,
    comment: `${root}/${folder} may import only: ${[folder, ...allowed].join(", ")}`,
    severity: "error",
    from: { path: `^${escapePath(`${root}/${folder}`)}/` },
    to: {
      path: `^${escapePath(root)}/`,
      pathNot: [
        ...[folder, ...allowed].map((name) => `^${escapePath(`${root}/${name}`)}/`),
        ...(extraFiles[`${root}/${folder}`] ?? []).map((file) => `^${escapePath(file)}$`),
      ],
    },
  })),
);

const unknownFolderRules = Object.entries(layers).map(([root, folders]) => ({
  name: `layout: unknown folder of ${root}`,
  comment: "A new folder enters `folders.cjs` before anything in it may import.",
  severity: "error",
  from: {
    path: `^${escapePath(root)}/[^/]+/`,
    pathNot: Object.keys(folders).map((name) => `^${escapePath(`${root}/${name}`)}/`),
  },
  to: {},
}));

function pathOfRoom(folder, room) {
  if (room === ".") return `^${escapePath(folder)}/[^/]+$`;
  return `^${escapePath(`${folder}/${room}`)}${room.endsWith(".ts") ? "$" : "/"}`;
}

/** Tests, what helps them, and benches: they may import what they need. */
const testPath = "\\.test\\.tsx?$|/testing/|/(test|bench)/";

const allRooms = { ...roomsOfServer, ...roomsOfPackages, ...roomsOfWeb };

const roomRules = Object.entries(allRooms).flatMap(([folder, roomsOfFolder]) => [
  ...Object.entries(roomsOfFolder).map(([room, allowed]) => ({
    name: `rooms: ${folder}/${room}`,
    comment: `${folder}/${room} may import only these rooms beside it: ${[room, ...allowed].join(", ")}`,
    severity: "error",
    from: { path: pathOfRoom(folder, room), pathNot: testPath },
    to: {
      path: `^${escapePath(folder)}/`,
      pathNot: [room, ...allowed].map((name) => pathOfRoom(folder, name)),
    },
  })),
  {
    name: `rooms: unknown room of ${folder}`,
    comment: "A new room enters `.tools/lib/imports` before anything in it may import.",
    severity: "error",
    from: {
      path: `^${escapePath(folder)}/`,
      pathNot: [testPath, ...Object.keys(roomsOfFolder).map((room) => pathOfRoom(folder, room))],
    },
    to: {},
  },
]);

/** Between packages. `kernel` is for the one place where both vocabularies meet, and those who wire it. */
const packageRules = [
  {
    name: "packages: sdk stands alone",
    severity: "error",
    from: { path: "^packages/sdk/src/", pathNot: "\\.test\\.ts$|/testing/|/src/pino/" },
    to: { pathNot: ["^packages/sdk/src/", "node_modules/(@types/)?react/"] },
  },
  {
    name: "packages: the transport of pino needs Node.js only",
    severity: "error",
    from: { path: "^packages/sdk/src/pino/", pathNot: "\\.test\\.ts$" },
    to: { pathNot: "^packages/sdk/src/", dependencyTypesNot: ["core"] },
  },
  {
    name: "packages: kernel stands alone",
    severity: "error",
    from: { path: "^packages/kernel-wasm/", pathNot: `${testPath}|/build\\.mjs$` },
    to: { pathNot: "^packages/kernel-wasm/", dependencyTypesNot: ["core"] },
  },
  {
    name: "packages: the kernel's host reads the WASM only through its ABI",
    severity: "error",
    from: { path: "^packages/kernel-wasm/src/" },
    to: {
      path: "^packages/kernel-wasm/assembly/",
      pathNot: "^packages/kernel-wasm/assembly/abi\\.ts$",
    },
  },
  {
    name: "packages: only scan, ingest, role and aggregate run the kernel",
    comment:
      "ingest reads lines of JSON with it; aggregate shares the histogram's shape (logLinear) with the kernel; column and store name its types only.",
    severity: "error",
    from: {
      path: "^apps/server/src/",
      pathNot: "^apps/server/src/(scan|ingest|role|aggregate|column|store)/",
    },
    to: { path: "^packages/kernel-wasm/" },
  },
  {
    name: "packages: column and store name the kernel's types only",
    comment: "A segment's histogram has the shape of those that the kernel fills.",
    severity: "error",
    from: {
      path: "^apps/server/src/(column|store)/",
      pathNot: `${testPath}|/store/segment/segmentHistogram\\.ts$`,
    },
    to: { path: "^packages/kernel-wasm/", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "packages: web imports only the SDK",
    severity: "error",
    from: { path: "^apps/web/" },
    to: { path: "^(apps/server|packages/kernel-wasm|e2e)/" },
  },
  {
    name: "packages: server imports neither web nor e2e",
    severity: "error",
    from: { path: "^apps/server/" },
    to: { path: "^(apps/web|e2e)/" },
  },
  {
    name: "packages: e2e drives from outside",
    severity: "error",
    from: { path: "^e2e/" },
    to: { path: "^(apps|packages)/", pathNot: "^packages/sdk/src/(index|sql)\\.ts$" },
  },
  {
    name: "packages: other packages are imported by their entry",
    severity: "error",
    from: { path: "^(apps|packages/kernel-wasm|e2e)/" },
    to: {
      path: "^packages/sdk/src/",
      pathNot: "^packages/sdk/src/(index|builder|checks|schemas|sql|element|react|pino)\\.ts$",
    },
  },
  {
    name: "packages: the kernel is imported by its entry",
    severity: "error",
    from: { path: "^apps/" },
    to: { path: "^packages/kernel-wasm/", pathNot: "^packages/kernel-wasm/src/index\\.ts$" },
  },
  {
    name: "the supervisor loads no server",
    comment: "It runs beside every server: all that it imports costs start time and memory.",
    severity: "error",
    from: { path: "^apps/server/src/role/(single\\.ts$|supervise/)", pathNot: testPath },
    to: {
      path: "^(apps/server/src|packages)/",
      pathNot:
        "^apps/server/src/(base/|role/(processMessages|runningServer)\\.ts$|role/supervise/)",
    },
  },
  {
    name: "demo: SDK only",
    severity: "error",
    from: { path: "^apps/server/src/demo/", pathNot: testPath },
    to: {
      pathNot: ["^apps/server/src/demo/", "^packages/sdk/src/index\\.ts$"],
      dependencyTypesNot: ["core"],
    },
  },
  {
    name: "entry files are for others",
    comment:
      "Inside a package import the file you mean: a barrel that its own members import makes cycles.",
    severity: "error",
    from: { path: "^packages/([^/]+)/src/", pathNot: "/src/(index|sql)\\.ts$" },
    to: { path: "^packages/$1/src/(index|sql)\\.ts$" },
  },
  {
    name: "screens do not import each other",
    severity: "error",
    from: { path: "^apps/web/src/screen/([^/]+)/" },
    to: { path: "^apps/web/src/screen/[^/]+/", pathNot: "^apps/web/src/screen/$1/" },
  },
  {
    name: "the chart kit does not import the query",
    severity: "error",
    from: { path: "^apps/web/src/chart/kit/", pathNot: testPath },
    to: { path: "^apps/web/src/query/" },
  },
  {
    name: "views do not import each other",
    comment: "What two views share is part of chart/kit.",
    severity: "error",
    from: { path: "^apps/web/src/chart/view/([^/]+)/", pathNot: testPath },
    to: { path: "^apps/web/src/chart/view/[^/]+/", pathNot: "^apps/web/src/chart/view/$1/" },
  },
];

module.exports = {
  forbidden: [
    { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "everything resolves",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "only tests import tests and what helps them",
      severity: "error",
      from: { pathNot: testPath },
      to: { path: testPath, pathNot: "node_modules" },
    },
    ...layerRules,
    ...unknownFolderRules,
    ...roomRules,
    ...packageRules,
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "/(dist|dist-embed|build)/" },
    // Without these three, forbidden edges pass silently: type imports vanish, packages stay unresolved.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["source", "import", "types", "node", "default"],
      mainFields: ["module", "main", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json", ".d.ts"],
    },
    extraExtensionsToScan: [],
  },
};
