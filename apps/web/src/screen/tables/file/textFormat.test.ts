import { expect, test } from "vitest";
import { readPreview } from "./readPreview.js";
import { detectFormat } from "./textFormat.js";

const access = '10.0.0.1 - ann [21/Nov/2026:09:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "curl"';
const trace =
  "2026-11-21 09:00:00,123 ERROR [main] a.B - lost\njava.lang.Error\n\tat a.B(B.java:1)";

test.each([
  ["access.log", access, "combined"],
  ["x", access.replace(/ "-" "curl"$/, ""), "combined"],
  ["x", "2026/11/21 09:00:00 [error] 12#12: *3 open() failed", "nginx-error"],
  ["x", "[Sat Nov 21 09:00:00.123 2026] [core:error] [pid 7] no file", "apache-error"],
  ["x", "Nov 21 09:00:00 host cron[7]: ran", "syslog"],
  ["x", "<34>1 2026-11-21T09:00:00Z host su - ID47 - failed", "syslog"],
  ["x", trace, "log4j"],
  ["x", 'level=info ts=2026-11-21T09:00:00Z msg="it is done"', "logfmt"],
  ["app.log.gz", "it began\nit ended", "plain"],
])("log lines of %s: %s are %s", (name, text, pattern) => {
  expect(readPreview(text, { name })).toMatchObject({ format: "raw", timeColumn: "time", pattern });
});

test.each([
  ["x", "main;render;paint 42\nmain;idle 7", "folded"],
  ["cpu.folded", "main 42", "folded"],
  ["x", '{"nodes":[{"id":1}],"startTime":1}', "cpuprofile"],
  ["a.cpuprofile.zst", '{\n"title":"x"', "cpuprofile"],
  ["x", '{ "resourceLogs": [\n]}', "otlp-logs"],
  ["spans.jsonl", '{"resourceSpans":[]}\n{"resourceSpans":[]}', "otlp-traces"],
  ["x", '{"resourceMetrics":[]}', "otlp-metrics"],
  ["x", '{"resourceLog":[]}', "ndjson"],
  ["x", '[{"time":1}]', "json"],
  ["x", '{"time":1}\n{"time":2}', "ndjson"],
  ["x", '{\n"time":1}', "json"],
  ["x", "time;n\n2026-11-21 09:00:00;5", "csv"],
  ["x", "time,level\n2026-11-21 09:00:00,INFO", "csv"],
  ["x", "n\n1 2", "csv"],
])("the text of %s: %s is %s", (name, text, format) => {
  expect(detectFormat(text, name)).toBe(format);
});

test("a chosen format is not detected, and a text without its rows is refused", () => {
  expect(readPreview(`${access}\n${access}`, { chosen: "csv" }).format).toBe("csv");
  expect(readPreview("a,b\n1,2", { chosen: "raw" })).toMatchObject({ pattern: "plain" });
  expect(() => readPreview(access, { chosen: "ndjson" })).toThrow("no rows");
});
