import { type TimeForm, type TimesReading, timeForms } from "@hadal/sdk";

/** Counts how the times of accepted rows were read. */
export class TimeForms {
  readonly #rows = new Map<TimeForm, number>();
  #repeated = 0;
  #form: TimeForm = "ms";
  #repeats = false;

  /** The form of this row's time; `repeats`: the local time occurs twice. */
  note(form: TimeForm, { repeats = false } = {}): void {
    this.#form = form;
    this.#repeats = repeats;
  }

  /** The row that was noted last is accepted. */
  keep(): void {
    this.#rows.set(this.#form, (this.#rows.get(this.#form) ?? 0) + 1);
    if (this.#repeats) this.#repeated++;
  }

  reading(): TimesReading {
    const found = timeForms.flatMap((form) => {
      const rows = this.#rows.get(form);
      return rows === undefined ? [] : [{ form, rows }];
    });
    return { forms: found, repeated: this.#repeated };
  }
}
