import { type DerivedColumn, HadalError, nearestHint } from "@hadal/sdk";
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../../../ui/button/Button.js";
import { Select } from "../../../../ui/button/Select.js";
import { useExplore } from "../../explore.js";
import { Fault } from "../part/Field.js";
import styles from "../part/form.module.css";
import { useSavedFunctions } from "../part/useSavedFunctions.js";

type Way = "expression" | "js" | "function";

const ways: readonly { readonly value: Way; readonly label: string }[] = [
  { value: "expression", label: "expression" },
  { value: "js", label: "JavaScript" },
  { value: "function", label: "saved function" },
];

const examples: Readonly<Record<Exclude<Way, "function">, string>> = {
  expression: "CASE WHEN latency_us > 1000000 THEN 'slow' ELSE 'ok' END",
  js: "(row) => row.latency_us > 1e6 ? 'slow' : 'ok'",
};

export interface DeriveEditorProps {
  readonly initial: DerivedColumn | null;
  readonly onDone: (column: DerivedColumn) => void;
}

/** A column by an expression as SQL has them, by a function of the row, or by a saved function. */
export function DeriveEditor({ initial, onDone }: DeriveEditorProps) {
  const { columns } = useExplore();
  const [as, setAs] = useState(initial?.as ?? "");
  const [way, setWay] = useState<Way>(() => wayOf(initial));
  const [text, setText] = useState(() => (initial !== null && "js" in initial ? initial.js : ""));
  const [fn, setFn] = useState(() =>
    initial !== null && "function" in initial ? initial.function : "",
  );
  const [args, setArgs] = useState(() =>
    initial !== null && "function" in initial ? (initial.args ?? []).join(", ") : "",
  );
  const [fault, setFault] = useState<string | null>(null);
  useExpressionText(initial, setText);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    event.stopPropagation();
    try {
      const name = as.trim();
      if (name === "") throw new DraftFault("Give the column a name.");
      if (name !== initial?.as && columns.some((one) => one.name === name)) {
        throw new DraftFault(`There is a column “${name}” already.`);
      }
      if (way === "function") onDone(callOf(name, fn, args, columnNames()));
      else if (text.trim() === "") throw new DraftFault("Write what it is.");
      else if (way === "js") onDone({ as: name, js: text });
      else onDone({ as: name, expression: await readExpression(text) });
    } catch (error) {
      if (!(error instanceof DraftFault || error instanceof HadalError)) throw error;
      setFault(error.message);
    }
  };
  const columnNames = (): readonly string[] => columns.map(({ name }) => name);
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => void submit(event)}
      data-testid="derive-editor"
    >
      <div className={styles.line}>
        <input
          className={`${styles.input} ${styles.grow}`}
          aria-label="Name of the column"
          placeholder="name"
          data-testid="derive-name"
          value={as}
          spellCheck={false}
          onChange={(event) => setAs(event.target.value)}
        />
        <Select
          label="Computed by"
          testId="derive-way"
          value={way}
          options={ways}
          onChange={(value) => setWay(value as Way)}
        />
      </div>
      {way === "function" ? (
        <CallInputs fn={fn} args={args} onFn={setFn} onArgs={setArgs} />
      ) : (
        <textarea
          className={styles.code}
          aria-label={way === "js" ? "Function of the row" : "Expression"}
          placeholder={examples[way]}
          data-testid="derive-text"
          rows={4}
          value={text}
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="derive-apply">
        Apply
      </Button>
    </form>
  );
}

interface CallInputsProps {
  readonly fn: string;
  readonly args: string;
  readonly onFn: (fn: string) => void;
  readonly onArgs: (args: string) => void;
}

function CallInputs({ fn, args, onFn, onArgs }: CallInputsProps) {
  const saved = useSavedFunctions("scalar");
  return (
    <>
      <Select
        label="Saved function"
        testId="derive-function"
        value={fn}
        options={[
          { value: "", label: saved.length === 0 ? "none is saved yet" : "function…" },
          ...saved.map(({ name }) => ({ value: name, label: name })),
        ]}
        onChange={onFn}
      />
      <input
        className={styles.input}
        aria-label="Columns it is called with"
        placeholder="columns: a, b"
        data-testid="derive-args"
        value={args}
        spellCheck={false}
        onChange={(event) => onArgs(event.target.value)}
      />
    </>
  );
}

/** What is wrong with what was typed, in words. */
class DraftFault extends Error {}

const wayOf = (column: DerivedColumn | null): Way =>
  column === null || "expression" in column ? "expression" : "js" in column ? "js" : "function";

function callOf(as: string, fn: string, text: string, columns: readonly string[]): DerivedColumn {
  if (fn === "") throw new DraftFault("Choose a function.");
  const args = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const wrong = args.find((name) => !columns.includes(name));
  if (wrong !== undefined) {
    throw new DraftFault(`There is no column “${wrong}”.${nearestHint(wrong, columns)}`);
  }
  return { as, function: fn, args };
}

/** SQL is loaded when somebody writes it. */
async function readExpression(text: string) {
  const { parseExpression } = await import("../../../../draft/text/sqlParts.js");
  return parseExpression(text);
}

/** An expression is shown as SQL writes it. */
function useExpressionText(initial: DerivedColumn | null, onText: (text: string) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the editor opened with
  useEffect(() => {
    if (initial === null || !("expression" in initial)) return;
    let current = true;
    void import("../../../../draft/text/sqlParts.js").then(
      ({ printExpression }) => current && onText(printExpression(initial.expression)),
    );
    return () => {
      current = false;
    };
  }, []);
}
