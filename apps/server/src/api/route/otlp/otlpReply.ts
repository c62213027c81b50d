import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import type { HadalError, IngestReply } from "@hadal/sdk";
import type { OtlpSignalName } from "../../../ingest/format/otlp/otlpSignals.js";

/** In which encoding a client sends, and is answered. */
export interface OtlpBody {
  readonly encoding: "protobuf" | "json";
  readonly mediaType: string;
}

const bodies: readonly OtlpBody[] = [
  { encoding: "protobuf", mediaType: "application/x-protobuf" },
  { encoding: "json", mediaType: "application/json" },
];

/** What the count of refused records is called in the JSON form. */
const rejectedNames: Readonly<Record<OtlpSignalName, string>> = {
  logs: "rejectedLogRecords",
  traces: "rejectedSpans",
  metrics: "rejectedDataPoints",
};

export const otlpMediaTypes: readonly string[] = bodies.map(({ mediaType }) => mediaType);

/** Undefined for any other Content-Type. */
export function otlpBodyOf(contentType: string | undefined): OtlpBody | undefined {
  const sent = contentType?.split(";")[0]?.trim().toLowerCase();
  return bodies.find(({ mediaType }) => mediaType === sent);
}

/** `Export…ServiceResponse`: empty where every record was stored. */
export function printOtlpReply(
  signal: OtlpSignalName,
  { encoding }: OtlpBody,
  { accepted, rejected, problems }: Pick<IngestReply, "accepted" | "rejected" | "problems">,
): Buffer {
  const [first] = problems;
  const message =
    first === undefined
      ? ""
      : `${rejected} of ${accepted + rejected} were refused. The first, number ${first.line}: ${first.detail}`;
  if (encoding === "json") {
    const partialSuccess = { [rejectedNames[signal]]: String(rejected), errorMessage: message };
    return Buffer.from(JSON.stringify(rejected === 0 ? {} : { partialSuccess }));
  }
  if (rejected === 0) return Buffer.alloc(0);
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(rejected);
  writer.tag(2, WireType.LengthDelimited).string(message);
  return Buffer.from(writer.join().finish());
}

/** `google.rpc.Status`, which is what clients read of a refusal. */
export function printOtlpStatus({ encoding }: OtlpBody, error: HadalError): Buffer {
  const code = grpcCodeOf(error);
  if (encoding === "json") return Buffer.from(JSON.stringify({ code, message: error.message }));
  const writer = new BinaryWriter().tag(1, WireType.Varint).int32(code);
  return Buffer.from(writer.tag(2, WireType.LengthDelimited).string(error.message).finish());
}

/** Clients send again after 429, 502, 503 and 504 only: a full disk must not lose their records. */
export function otlpStatusOf({ status, retry }: HadalError): number {
  return retry && status !== 429 ? 503 : status;
}

/** INVALID_ARGUMENT, PERMISSION_DENIED, RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE. */
function grpcCodeOf(error: HadalError): number {
  if (error.status === 429) return 8;
  if (error.retry) return 14;
  if (error.status === 403) return 7;
  return error.status >= 500 ? 13 : 3;
}
