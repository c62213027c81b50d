import type { AlertGroupKey, AlertGroupValue, AlertMessage } from "@hadal/sdk";
import type { OutgoingMessage } from "./channelKind.js";

/** A message in words, for people. No text of it is escaped: each channel has its own rules. */
export interface MessageWords {
  readonly headline: string;
  readonly facts: readonly MessageFact[];
}

export interface MessageFact {
  readonly name: string;
  readonly text: string;
}

/** Chats and mail show this much of a title or a group's name; the link has the rest. */
const textUnitsMax = 300;

const stateWords = { firing: "Firing", ok: "Over", unknown: "Cannot tell" } as const;

export function wordsOf({ message, finds }: OutgoingMessage): MessageWords {
  const { state, title, text, completeness, repetition } = message;
  const again = repetition > 0 ? " (again)" : "";
  return {
    headline: short(`${stateWords[state]}${again}: ${title}`),
    facts: [
      { name: "What", text: short(text) },
      ...groupFacts(message),
      { name: "Since", text: timeOf(message.since) },
      { name: "Window", text: `${timeOf(message.fromMs)} to ${timeOf(message.toMs)}` },
      ...(completeness === null
        ? []
        : [{ name: "Complete", text: `${percentOf(completeness)} % of the rows` }]),
      ...finds.map((find) => ({ name: "Differs", text: short(find) })),
    ],
  };
}

export interface MessageLink {
  readonly text: string;
  readonly url: string;
}

/** What a person may do about a message, the chart first. The pages ask before they change anything. */
export function linksOf({ message: { state }, link }: OutgoingMessage): readonly MessageLink[] {
  const open = { text: "Open in Hadal", url: link };
  const withAct = (act: string): string => `${link}${link.includes("?") ? "&" : "?"}act=${act}`;
  const mute = { text: "Mute", url: withAct("mute") };
  if (state === "ok") return [open];
  if (state === "unknown") return [open, mute];
  return [open, { text: "Acknowledge", url: withAct("acknowledge") }, mute];
}

function groupFacts(message: AlertMessage): readonly MessageFact[] {
  const { value, interval, group, groups, groupColumns, groupCount, unit } = message;
  if (groupCount <= 1 && (group === null || group.length === 0))
    return [{ name: "Value", text: shownValue({ value, interval }, unit) }];
  const more = groupCount - groups.length;
  return [
    ...(groupCount > 1 ? [{ name: "Groups", text: String(groupCount) }] : []),
    ...groups.map((one) => ({
      name: nameOf(one.group, groupColumns),
      text: shownValue(one, unit),
    })),
    ...(more > 0 ? [{ name: "More groups", text: String(more) }] : []),
  ];
}

const nameOf = (group: AlertGroupKey, columns: readonly string[]): string =>
  short(group.map((value, i) => `${columns[i] ?? ""} ${keyOf(value)}`.trim()).join(", "));

const keyOf = (value: AlertGroupKey[number]): string => {
  if (value === null) return "(missing)";
  return typeof value === "object" ? value.join(", ") : String(value);
};

/** Null is a value that is missing: never 0. */
function shownValue(
  { value, interval, compared }: Partial<AlertGroupValue>,
  unit: string | undefined,
): string {
  const numberOf = (number: number): string =>
    `${numbers.format(number)}${unit === undefined ? "" : ` ${unit}`}`;
  const shown = value === null || value === undefined ? "no value" : numberOf(value);
  const between =
    interval === null || interval === undefined
      ? ""
      : `, between ${numberOf(interval[0])} and ${numberOf(interval[1])}`;
  const before = typeof compared === "number" ? `, before ${numberOf(compared)}` : "";
  return `${shown}${between}${before}`;
}

const numbers = new Intl.NumberFormat("en", { maximumSignificantDigits: 9 });

/** Never up to 100: "all rows" is what 100 % says. */
const percentOf = (share: number): string =>
  share === 1 ? "100" : String(Math.min(99.99, Math.floor(share * 10_000) / 100));

/** A clock that jumped must not keep a message from being sent. */
const timeOf = (ms: number): string =>
  Number.isFinite(ms) && Math.abs(ms) <= 8.64e15
    ? `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`
    : "unknown";

/** One line of at most this many code points: no half of a surrogate pair is sent. */
export function short(text: string, max = textUnitsMax): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
  const points = [...line];
  return points.length <= max ? line : `${points.slice(0, max - 1).join("")}…`;
}
