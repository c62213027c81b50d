/**
 * Import rules: which folders of its own package a folder may import, and which packages a package may import. Type
 * imports count. `.tools/importRules.test.mjs` plants breaches and checks that they are caught.
 */

/** Folder → folders of the same package it may import. A folder that is not listed may not exist. */
const layers = {
  "packages/sdk/src": {
    model: [],
    lang: ["model"],
    csv: ["model"],
    wire: ["model"],
    client: ["model", "wire"],
    schema: ["model", "wire"],
    // Of the custom element `<hadal-chart>`: types, and what loads it.
    element: ["model"],
    react: ["element", "model", "wire"],
  },
  "apps/server/src": {
    base: [],
    memory: ["base"],
    column: ["base", "memory"],
    // Decimals become text as stored ones do.
    function: ["base", "column"],
    // Resolving a query compiles its functions.
    plan: ["base", "function"],
    aggregate: ["base", "plan"],
    store: ["base", "memory", "column"],
    scan: ["base", "memory", "column", "store", "plan", "aggregate", "function"],
    // Frames carry resolved queries and partial results.
    cluster: ["base", "plan", "aggregate"],
    tree: ["base", "plan", "aggregate", "cluster"],
    // The ledger implements the type ExpectedRows of tree (see extraFiles) and imports nothing else of it.
    ingest: ["base", "cluster", "registry"],
    // The model of a tree of machines, and what the last queries took.
    planner: ["base"],
    registry: ["base"],
    // Users, sessions, tokens, grants, audit log.
    access: ["base", "registry"],
    query: ["base", "plan", "planner", "aggregate", "tree", "function", "registry"],
    // Bytes of pictures, drawn in a thread of its own.
    picture: ["base"],
    api: ["base", "ingest", "query", "registry", "cluster", "access", "picture"],
    role: [
      ...["base", "memory", "column", "plan", "aggregate", "store", "function", "scan", "cluster"],
      ...["tree", "planner", "ingest", "registry", "access", "query", "picture", "api", "demo"],
    ],
    // `user` and `token` work on the registry, whether a server runs or not.
    cli: ["base", "registry", "access", "role"],
    demo: [],
  },
  "apps/web/src": {
    format: [],
    session: [],
    query: [],
    // What can be asked for by name or key: the palette, the keys and their sheet.
    command: [],
    live: ["session"],
    ui: ["format"],
    chart: ["format", "ui", "query"],
    // What every view has in common is asked by the view's id: the list of views comes first.
    draft: ["query", "chart"],
    // One asked query, its answer and what can be done with a value of it; imports no screen.
    panel: ["format", "session", "query", "live", "ui", "chart", "draft"],
    screen: ["format", "session", "query", "command", "live", "ui", "chart", "draft", "panel"],
    // Tiles and boards drawn on the server: no page, no components.
    picture: ["format", "query", "chart", "draft", "panel"],
    // The custom element `<hadal-chart>` and the page of its frame.
    embed: ["format", "session", "query", "live", "ui", "chart", "draft", "panel"],
    app: [
      ...["format", "session", "query", "command", "live", "ui", "chart", "draft", "panel"],
      "screen",
    ],
  },
};

/**
 * Of the apps: folder → its rooms (subfolders) → rooms of the same folder that each may import; others it may not. The
 * files beside the rooms are the room "."; a single file is given by its name ("abi.ts"). Folders without rooms are not
 * listed.
 */
const rooms = {
  "apps/server/src/registry": {
    database: [],
    migration: [],
    "registry.ts": ["database", "migration"],
    document: ["database", "registry.ts"],
    takeover: ["database", "document"],
    ".": ["database", "migration", "takeover", "registry.ts"],
  },
  "apps/server/src/access": {
    copy: [],
    secret: [],
    audit: [],
    "credentials.ts": [],
    "foldName.ts": [],
    embed: ["copy", "audit", "credentials.ts"],
    "person.ts": ["embed"],
    session: ["copy", "secret"],
    grant: ["copy", "audit", "foldName.ts"],
    // A user who is removed takes sessions and grants along.
    user: ["copy", "secret", "audit", "session", "grant", "foldName.ts"],
    token: ["copy", "secret", "audit"],
    signin: [
      ...["secret", "audit", "session", "user", "person.ts", "credentials.ts", "foldName.ts"],
    ],
    oidc: [],
    ".": ["copy", "secret", "audit", "session", "grant", "user", "token", "embed", "signin"],
  },
  "apps/server/src/store": {
    segment: [],
    text: ["segment"],
    seal: ["segment"],
    file: ["segment", "text", "seal"],
    open: ["segment"],
    columns: ["segment", "seal", "open"],
    log: [],
    upkeep: ["segment", "text", "seal", "file", "open", "columns"],
    table: ["segment", "seal", "file", "open", "columns", "log", "upkeep"],
    leaf: ["segment", "file", "columns", "log", "upkeep", "table"],
  },
  "apps/server/src/query": {
    admit: [],
    bind: [],
    answer: [],
    run: ["admit", "bind", "answer"],
    cache: ["admit", "run"],
    study: ["admit", "bind", "answer", "run"],
    facet: ["admit", "bind", "answer", "run", "study"],
    change: ["admit", "bind", "answer", "run", "study"],
    ".": ["bind", "run", "cache"],
  },
  "apps/server/src/aggregate": {
    partial: [],
    key: ["partial"],
    state: ["partial", "key"],
    merge: ["partial", "key", "state"],
    estimate: ["partial", "key", "state", "merge"],
    function: ["partial", "state", "estimate"],
    cut: ["partial", "key", "state", "merge", "function"],
    finish: ["partial", "key", "state", "merge", "estimate", "function"],
  },
  "apps/server/src/scan": {
    pattern: [],
    memory: ["pattern"],
    task: ["memory", "pattern"],
    value: ["memory", "task"],
    derive: ["memory", "task"],
    filter: ["memory", "pattern", "task", "value", "derive"],
    program: ["memory", "task", "derive"],
    segment: ["memory", "program"],
    state: ["memory", "task", "value", "derive", "program"],
    key: ["memory", "task", "value", "derive", "program"],
    group: ["memory", "task", "value", "program", "state", "key"],
    lower: ["memory", "task", "derive", "filter", "program", "state", "key", "group"],
    run: ["memory", "task", "value", "filter", "program", "state", "key", "group"],
    answer: ["memory", "task", "value", "derive", "key", "group", "lower", "run"],
    thread: ["memory", "task", "filter", "group", "lower", "run", "answer"],
    sandbox: ["memory", "task", "value", "derive", "filter", "segment", "lower", "run", "thread"],
    ".": [
      ...["memory", "task", "value", "filter", "program", "segment", "lower", "run", "answer"],
      ...["thread", "sandbox"],
    ],
  },
  "apps/server/src/ingest": {
    // Text and numbers as they are sent → values, and the columns and rows made of them.
    value: [],
    column: ["value"],
    body: [],
    row: ["value", "column", "body"],
    format: ["value", "column", "body", "row"],
    ledger: [],
    place: ["body", "ledger"],
    read: ["value", "column", "body", "row", "format", "ledger", "place"],
    retention: ["ledger"],
    ".": ["value", "body", "format", "ledger", "place", "read"],
  },
  "apps/server/src/base": {
    // What people may read.
    access: [],
    number: ["."],
    text: ["."],
    schedule: [],
    process: [],
    file: [],
    limit: ["access"],
    bytes: ["schedule"],
    compress: [],
    format: ["compress"],
    row: ["bytes", "text"],
    ".": [],
  },
  "apps/server/src/function": {
    term: [],
    compile: ["term"],
    bind: ["term"],
    emit: ["term", "bind"],
    evaluate: ["term", "compile"],
    sandbox: ["compile"],
  },
  "apps/server/src/plan": {
    query: [],
    schema: ["query"],
    filter: ["query", "schema"],
    bucket: ["query", "schema"],
    derive: ["query", "schema", "filter"],
    finish: ["query", "schema", "filter", "derive"],
    ".": ["query", "schema", "filter", "bucket", "derive", "finish"],
  },
  "apps/server/src/api": {
    context: [],
    docs: [],
    body: [],
    format: [],
    connection: ["context", "docs"],
    live: ["context", "docs", "body", "format", "connection"],
    route: ["context", "docs", "body", "format", "connection"],
    ".": ["context", "docs", "connection", "live", "route", "body"],
  },
  "apps/server/src/role": {
    "processMessages.ts": [],
    supervise: ["processMessages.ts"],
    ".": ["supervise"],
  },
  "apps/server/src/cli": {
    terminal: [],
    connect: [],
    inspect: ["terminal", "connect"],
    query: ["terminal", "connect", "inspect"],
    ingest: ["terminal", "connect"],
    documents: ["terminal", "connect"],
    serve: ["terminal"],
    people: ["terminal", "connect", "serve"],
    ".": ["terminal", "inspect", "query", "ingest", "documents", "serve", "people"],
  },
  "apps/server/src/ingest/format": {
    json: ["ingestFormat.ts"],
    csv: ["ingestFormat.ts"],
    arrow: ["ingestFormat.ts"],
    parquet: ["ingestFormat.ts", "json"],
    ".": ["csv", "json", "arrow", "parquet"],
  },
};

/** The same of the packages. */
const roomsOfPackages = {
  "packages/sdk/src/model": {
    problem: [],
    ".": [],
    dashboard: ["."],
    time: [".", "problem"],
    builder: ["."],
    check: [".", "problem", "time", "dashboard"],
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

/** The same of the web app. */
const roomsOfWeb = {
  "apps/web/src/panel": {
    ask: [],
    ".": ["ask"],
    annotation: ["status", "."],
    draw: ["annotation", "ask", "."],
    answer: ["ask", "draw", "."],
    status: ["."],
    menu: ["annotation", "."],
    picture: [],
    facets: ["menu", "."],
    form: ["ask", "facets", "menu", "status", "."],
    saved: [],
    embed: ["ask", "answer", "form", "."],
  },
  "apps/web/src/embed": {
    element: [],
    connect: [],
    style: [],
    state: ["element"],
    // What menus and tools need, loaded after the first answer.
    reader: ["style"],
    shown: ["element", "state", "style", "reader"],
    mount: ["element", "connect", "style", "state", "shown"],
    frame: [],
    ".": ["element", "mount", "frame"],
  },
  "apps/web/src/chart": { ".": [], kit: [], spec: ["kit"], view: ["kit", "spec"] },
  "apps/web/src/ui": {
    root: [],
    button: [],
    field: ["button"],
    storage: [],
    table: ["storage"],
    lazy: ["root"],
    popup: ["root", "button", "lazy"],
    page: ["button", "lazy"],
    code: [],
    ".": [],
  },
  "apps/web/src/panel/form": {
    part: [],
    filter: ["part"],
    number: ["part", "filter"],
    group: ["part"],
    column: ["part"],
    time: ["part", "filter"],
    view: ["part"],
    text: ["part"],
    ".": ["part", "filter", "number", "group", "column", "time", "view", "text"],
  },
  "apps/web/src/screen/tables": {
    base: [],
    file: [],
    import: ["base", "file"],
    send: ["base", "import"],
    settings: ["base"],
    list: ["base", "send"],
    page: ["base", "send", "settings", "list"],
    ".": ["base", "list", "page"],
  },
  "apps/web/src/screen/people": {
    base: [],
    user: ["base"],
    grant: ["base"],
    token: ["base"],
    ".": ["base", "user", "grant", "token"],
  },
  "apps/web/src/screen/embeds": {
    base: [],
    embed: ["base"],
    key: ["base"],
    ".": ["base", "embed", "key"],
  },
  "apps/web/src/screen/dashboards": {
    model: [],
    ready: ["model"],
    "board/boardContext.ts": ["model"],
    bar: ["model", "board/boardContext.ts"],
    tile: ["model", "board/boardContext.ts"],
    // “What is different here?” beside the board.
    difference: ["model", "tile", "board/boardContext.ts"],
    board: ["model", "bar", "tile", "difference"],
    list: ["ready"],
    ".": ["board", "list"],
  },
  "apps/web/src/query": {
    filter: [],
    group: ["filter"],
    number: ["filter"],
    state: ["filter", "group", "number"],
  },
  "apps/web/src/draft": {
    ask: [],
    edit: ["ask"],
    url: ["ask"],
    history: ["edit", "url"],
    text: ["ask"],
    saved: ["ask", "url", "text"],
    tile: [],
  },
  "apps/web/src/chart/kit": {
    answer: [],
    svg: [],
    paint: ["answer", "svg"],
    props: ["answer", "paint"],
    pointer: ["answer", "paint"],
    echart: ["svg"],
    groups: ["answer", "paint", "props"],
    legend: ["answer", "groups", "props"],
    rows: ["answer", "props"],
    cells: ["answer", "svg", "paint", "pointer", "echart"],
    // A view without a page: tables and keys in vectors.
    picture: ["answer", "svg", "paint", "props", "groups", "rows"],
    time: ["answer", "svg", "paint", "props", "pointer", "legend", "picture"],
  },
  "apps/web/src/chart/kit/time": {
    plot: [],
    draw: ["plot"],
    point: ["plot"],
    annotation: ["plot", "point"],
    ".": ["plot", "draw", "point", "annotation"],
  },
};

/** Single files that a folder may import beyond its folders. */
const extraFiles = {
  // A board is the same board whether a page or a picture shows it.
  "apps/web/src/picture": [
    ...["barState", "barUrl", "boardGrid", "tileTitle", "tileUnderBar", "variableFaults"].map(
      (file) => `apps/web/src/screen/dashboards/model/${file}.ts`,
    ),
    "apps/web/src/ui/tokens.css",
  ],
  // The facts about a finished scan are a part of the leaf's protocol.
  "apps/server/src/scan": [
    "apps/server/src/cluster/leafProtocol.ts",
    "apps/server/src/cluster/leafReply.ts",
  ],
  // A preview shows decimals as queries do.
  "apps/server/src/ingest": [
    "apps/server/src/tree/expectedRows.ts",
    "apps/server/src/column/decimal.ts",
  ],
};

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
  comment: "A new folder enters the table above before anything in it may import.",
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

const allRooms = { ...rooms, ...roomsOfPackages, ...roomsOfWeb };

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
    comment: "A new room enters the table above before anything in it may import.",
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
    from: { path: "^packages/sdk/src/", pathNot: "\\.test\\.ts$|/testing/" },
    to: { pathNot: ["^packages/sdk/src/", "node_modules/(@types/)?react/"] },
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
      pathNot: "^packages/sdk/src/(index|builder|checks|schemas|sql|element|react)\\.ts$",
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
