import { HadalError, type KafkaTopic, nameFault, type SourceSettings } from "@hadal/sdk";
import { checkSource } from "@hadal/sdk/checks";
import { formatToRead } from "../format/formats.js";
import { checkRawParameters } from "../format/raw/rawParameters.js";
import { checkZone } from "../value/localTime.js";

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A body that was sent as the settings of a source. Throws what is wrong with it, and with its id. */
export function checkSourceBody(id: string, body: unknown): SourceSettings {
  if (!idPattern.test(id)) {
    const detail =
      "The id of a source has up to 63 letters, digits, points, hyphens and underscores, and begins with a letter or digit.";
    throw new HadalError("bad-request", { detail });
  }
  const settings = checkSource(body);
  settings.topics.forEach(checkTopic);
  return settings;
}

function checkTopic(topic: KafkaTopic, index: number): void {
  const { contentType, timeZone, pattern, multiline, time } = topic;
  const fault = time === undefined ? null : nameFault(time);
  try {
    if (fault !== null) throw new HadalError("invalid-name", { detail: fault });
    if (contentType !== undefined) formatToRead(contentType);
    checkZone(timeZone);
    checkRawParameters({ pattern, multiline }, contentType ?? "application/x-ndjson");
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    const detail = `topics[${index}]: ${error.message}`;
    throw new HadalError("invalid-query", { detail }, [
      { path: `topics[${index}]`, code: error.code, detail: error.message },
    ]);
  }
}
