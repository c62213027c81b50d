import type { Pattern } from "./pattern.js";

/** A literal that every match contains; with `fold` in lower case, and matching A–Z in any case. */
export interface Literal {
  readonly text: string;
  readonly fold: boolean;
}

export interface RequiredLiteral extends Literal {
  /** Whether every text with the literal matches. */
  readonly isWhole: boolean;
}

interface Run {
  text: string;
  fold: boolean;
  /** Whether one letter is case-sensitive, and another is not. */
  isMixed: boolean;
}

/** The longest text that every match contains; null when there is none. */
export function requiredLiteral(pattern: Pattern): RequiredLiteral | null {
  const collector = new RunCollector();
  const isWhole = collector.collect(pattern);
  collector.endRun();
  const [first] = collector.runs;
  if (first === undefined) return null;
  let longest = first;
  for (const run of collector.runs) if (run.text.length > longest.text.length) longest = run;
  const { text, fold, isMixed } = longest;
  return {
    text: fold ? foldLetters(text) : text,
    fold,
    isWhole: isWhole && collector.runs.length === 1 && !isMixed,
  };
}

class RunCollector {
  readonly runs: Run[] = [];
  #run: Run = emptyRun();

  endRun(): void {
    if (this.#run.text !== "") this.runs.push(this.#run);
    this.#run = emptyRun();
  }

  /** Whether all of the pattern is in the run. */
  collect(pattern: Pattern): boolean {
    switch (pattern.kind) {
      case "literal":
        return this.#add(pattern);
      case "place":
        // The parts on both sides are adjacent.
        return false;
      case "concat": {
        let isWhole = true;
        for (const part of pattern.parts) isWhole = this.collect(part) && isWhole;
        return isWhole;
      }
      case "repeat":
        this.endRun();
        if (pattern.min > 0) this.collect(pattern.of);
        this.endRun();
        return false;
      case "class":
      case "either":
        this.endRun();
        return false;
    }
  }

  #add({ text: char, fold }: Extract<Pattern, { kind: "literal" }>): boolean {
    // RE2 folds k with the Kelvin sign and s with the long s; other alphabets fold beyond A–Z.
    if (fold && (/[ks]/i.test(char) || char > "\x7f")) {
      this.endRun();
      return false;
    }
    const run = this.#run;
    if (isLetter(char)) {
      run.isMixed ||= isLetter(run.text) && run.fold !== fold;
      run.fold ||= fold;
    }
    run.text += char;
    return true;
  }
}

/** Whether there is a letter that has two cases in ASCII. */
const isLetter = (text: string): boolean => /[a-z]/i.test(text);

const emptyRun = (): Run => ({ text: "", fold: false, isMixed: false });

const foldLetters = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
