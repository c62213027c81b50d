/** Folder → folders of the same package it may import. A folder that is not listed may not exist. */
module.exports.layers = {
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
    // A stream of Node.js, which pino writes to.
    pino: ["model", "client"],
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
    // Rules that watch queries, and the messages of their firings.
    alert: ["base", "plan", "registry", "access", "picture"],
    api: ["base", "ingest", "query", "registry", "cluster", "access", "picture", "alert"],
    role: [
      ...["base", "memory", "column", "plan", "aggregate", "store", "function", "scan", "cluster"],
      ...["tree", "planner", "ingest", "registry", "access", "query", "picture", "alert"],
      ...["api", "demo"],
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

/** Single files that a folder may import beyond its folders. */
module.exports.extraFiles = {
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
