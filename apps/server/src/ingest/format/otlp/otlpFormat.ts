import type { IngestFormat } from "../ingestFormat.js";
import { type OtlpEncoding, OtlpReader } from "./otlpReader.js";
import { type OtlpSignalName, otlpSignals } from "./otlpSignals.js";

/** The signal is known by the route, not by what the client sends as its type. */
export function otlpMediaType(signal: OtlpSignalName, encoding: OtlpEncoding): string {
  return `application/vnd.opentelemetry.${signal}+${encoding}`;
}

const signals: readonly OtlpSignalName[] = ["logs", "traces", "metrics"];
const encodings: readonly OtlpEncoding[] = ["protobuf", "json"];

/** Requests of the OpenTelemetry protocol over HTTP, one format for each signal and encoding. */
export const otlpFormats: readonly IngestFormat[] = signals.flatMap((signal) =>
  encodings.map((encoding) => ({
    mediaTypes: [otlpMediaType(signal, encoding)],
    isOfRoute: true as const,
    open: (collector) => new OtlpReader(collector, otlpSignals[signal], encoding),
  })),
);
