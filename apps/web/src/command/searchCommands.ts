import { type Command, type CommandGroup, commandGroups } from "./command.js";

/** At most a screenful. */
const perGroupMax = 8;

export interface CommandSection {
  readonly group: CommandGroup;
  readonly commands: readonly Command[];
}

/** Commands whose label contains all words of the text, matches at a word's start first; a few of each group. */
export function searchCommands(commands: readonly Command[], text: string): CommandSection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands
    .filter((command) => command.run !== undefined && command.hidden !== true)
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || groupRank(a.command) - groupRank(b.command));
  return inGroups(found.map(({ command }) => command))
    .map(({ group, commands: all }) => ({ group, commands: all.slice(0, perGroupMax) }))
    .sort((a, b) => (words.length === 0 ? 0 : rankIn(found, a) - rankIn(found, b)));
}

/** Commands by group, in the order of groups. */
export function inGroups(commands: readonly Command[]): CommandSection[] {
  return commandGroups
    .map((group) => ({ group, commands: commands.filter((command) => command.group === group) }))
    .filter((section) => section.commands.length > 0);
}

const groupRank = ({ group }: Command): number => commandGroups.indexOf(group);

/** The section with the best match comes first. */
function rankIn(found: readonly { command: Command }[], section: CommandSection): number {
  return found.findIndex(({ command }) => command === section.commands[0]);
}

function scoreOf({ label, group, words: further = "" }: Command, words: readonly string[]): number {
  let score = 1;
  for (const word of words) {
    const one = Math.max(
      3 * scoreOfWord(label.toLowerCase(), word),
      scoreOfWord(`${group} ${further}`.toLowerCase(), word),
    );
    if (one === 0) return 0;
    score += one;
  }
  return score;
}

/** 3: the text starts with the word, 2: a word of the text does, 1: the text contains it. */
function scoreOfWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (at === 0) return 3;
  for (let i = at; i >= 0; i = text.indexOf(word, i + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text[i - 1] ?? "")) return 2;
  }
  return 1;
}
