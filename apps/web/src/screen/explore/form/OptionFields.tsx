import { useState } from "react";
import { optionsInForce } from "../../../query/viewOption.js";
import { viewOf } from "../../../query/views/registry.js";
import { Select } from "../../../ui/Select.js";
import { useExplore } from "../explore.js";
import { Field } from "./Field.js";
import styles from "./form.module.css";

/** The view's own choices. */
export function OptionFields() {
  const { state, columns, dispatch } = useExplore();
  const inForce = optionsInForce(state, columns);
  return viewOf(state.view).options.map(({ name, label, choices, accepts, hint }) => {
    const options = choices(state, columns);
    return (
      options.length > 0 && (
        <Field key={name} label={label}>
          {accepts !== undefined && (
            <OptionText
              key={inForce[name]}
              label={label}
              testId={`option-${name}-text`}
              hint={hint ?? ""}
              value={accepts(inForce[name] ?? "") ? (inForce[name] ?? "") : ""}
              accepts={accepts}
              onChange={(value) => dispatch({ kind: "set option", name, value })}
            />
          )}
          <Select
            label={label}
            testId={`option-${name}`}
            value={inForce[name] ?? ""}
            options={options}
            onChange={(value) => dispatch({ kind: "set option", name, value })}
          />
        </Field>
      )
    );
  });
}

interface OptionTextProps {
  readonly label: string;
  readonly testId: string;
  readonly hint: string;
  readonly value: string;
  readonly accepts: (text: string) => boolean;
  readonly onChange: (value: string) => void;
}

/** A choice that is written: taken when it is left or Enter is pressed, and only where it can be read. */
function OptionText({ label, testId, hint, value, accepts, onChange }: OptionTextProps) {
  const [text, setText] = useState(value);
  const isRead = text === "" || accepts(text);
  const take = (): void => {
    if (isRead && text !== value) onChange(text === "" ? "auto" : text);
  };
  return (
    <input
      aria-label={`${label}, written`}
      className={styles.input}
      data-testid={testId}
      placeholder={hint}
      value={text}
      aria-invalid={!isRead}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === "Enter") take();
      }}
    />
  );
}
