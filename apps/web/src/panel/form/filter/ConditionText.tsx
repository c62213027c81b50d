import { type Filter, HadalError } from "@hadal/sdk";
import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import styles from "../part/form.module.css";

export interface ConditionTextProps {
  readonly initial: Filter;
  readonly onDone: (filter: Filter) => void;
}

/** A filter as SQL, with any nesting of AND, OR and NOT. */
export function ConditionText({ initial, onDone }: ConditionTextProps) {
  const { state, dispatch } = useFormQuery();
  const [text, setText] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the initial filter
  useEffect(() => {
    let current = true;
    void import("../../../draft/text/sqlParts.js").then(
      ({ printCondition }) => current && setText(printCondition(initial, state.derive)),
    );
    return () => {
      current = false;
    };
  }, []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    event.stopPropagation();
    const { parseCondition } = await import("../../../draft/text/sqlParts.js");
    try {
      const { filter, derive } = parseCondition(text ?? "");
      const added = derive.filter(({ as }) => !state.derive.some((one) => one.as === as));
      if (added.length > 0) {
        dispatch({ kind: "set derive", derive: [...state.derive, ...added] });
      }
      onDone(filter);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      const [part] = error.errors;
      const place = part?.line === undefined ? "" : `Line ${part.line}, column ${part.column}: `;
      setFault(`${place}${part?.detail ?? error.message}`);
    }
  };
  return (
    <form className={styles.editor} onSubmit={(event) => void submit(event)}>
      <textarea
        className={styles.code}
        aria-label="Condition in SQL"
        data-testid="condition-text"
        rows={4}
        value={text ?? ""}
        disabled={text === null}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setFault(null);
        }}
      />
      <Fault text={fault} />
      <Button look="main" type="submit" data-testid="condition-apply">
        Apply
      </Button>
    </form>
  );
}
