import type { StatusInfo } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { Operation } from "../docs/operation.js";

const status: StatusInfo = {
  ledger: {
    state: "whole",
    reason: null,
    comparedMs: 1795254000000,
    lostRows: [
      { leaf: "leaf-1", table: "visits", rows: 65_000, reason: "segment-3.hds could not be read" },
    ],
    lostColumns: [
      {
        ...{ leaf: "leaf-1", table: "visits", column: "url", rows: 65_000 },
        reason: "segment-4.hds is damaged",
      },
    ],
    doubts: [],
  },
  members: [
    {
      id: "leaf-1",
      role: "leaf",
      address: "127.0.0.1:40123",
      pid: 4711,
      state: "alive",
      rows: 500_000,
      bytes: 7_050_000,
      freeBytes: 2_000_000_000,
      memory: null,
      tables: [{ name: "visits", rows: 500_000, bytes: 7_050_000 }],
      lastHeardMs: 1795254000000,
    },
  ],
  tables: [{ name: "visits", rows: 500_000, bytes: 7_050_000 }],
  queries: [
    {
      id: "my-query",
      table: "visits",
      text: "SELECT count(*) FROM visits WHERE time >= now() - INTERVAL '3 hours' AND time < now()",
      elapsedMs: 12,
    },
  ],
  admission: { running: 1, waiting: 0, refused: 0, answerBytes: 0 },
  demo: { table: "requests", rows: 1_210_000, fraction: 0.41, problem: null },
  sandbox: { state: "strict", keeps: [] },
  ingest: {
    rowsAccepted: 500_000,
    rowsRejected: 3,
    batches: 100,
    tables: [{ name: "visits", rowsAccepted: 500_000 }],
    bytesHeld: 4_500_000,
    waiting: 0,
    refused: 0,
  },
};

const text = (example: string) => ({ "text/plain": { schema: { type: "string" }, example } });

export const getStatus: Operation = {
  operationId: "status",
  summary: "Members, memory, running queries, rows taken in",
  tag: "Server",
  answer: {
    status: 200,
    description: "The cluster as the gateway sees it.",
    content: { "application/json": { schema: ref("Status"), example: status } },
  },
};

export const getOpenApi: Operation = {
  operationId: "openApi",
  summary: "This document",
  tag: "Server",
  answer: {
    status: 200,
    description: "OpenAPI 3.1.",
    content: { "application/json": { schema: { type: "object" } } },
  },
};

export const getDocs: Operation = {
  operationId: "docs",
  summary: "This document as a page",
  tag: "Server",
  answer: {
    status: 200,
    description: "HTML without scripts.",
    content: { "text/html": { schema: { type: "string" } } },
  },
};

export const getDocsStyle: Operation = {
  operationId: "docsStyle",
  summary: "The style of that page",
  tag: "Server",
  answer: {
    status: 200,
    description: "CSS.",
    content: { "text/css": { schema: { type: "string" } } },
  },
};

export const getHealth: Operation = {
  operationId: "health",
  summary: "Whether the process answers",
  tag: "Server",
  answer: { status: 200, description: "It does.", content: text("ok\n") },
};

export const getReadiness: Operation = {
  operationId: "readiness",
  summary: "Whether rows and queries can be taken",
  tag: "Server",
  answer: { status: 200, description: "They can.", content: text("ready\n") },
  problems: ["unavailable"],
};

export const getMetrics: Operation = {
  operationId: "metrics",
  summary: "Metrics in Prometheus text",
  tag: "Server",
  answer: {
    status: 200,
    description: "Counters and gauges of the gateway and its leaves.",
    content: { "text/plain": { schema: { type: "string" } } },
  },
};
