import { viewOf } from "../../../chart/view/views.js";
import { optionsInForce } from "../../../draft/ask/viewOptions.js";
import { Select } from "../../../ui/button/Select.js";
import { useFormQuery } from "../../formQuery.js";
import { Field } from "../part/Field.js";
import { TypedOption } from "../part/TypedOption.js";
import { ScaleField } from "./ScaleField.js";

export interface OptionFieldsProps {
  /** Shows only the options of this place; absent: all others. */
  readonly place?: "compare";
}

/** The options of the view. */
export function OptionFields({ place }: OptionFieldsProps) {
  const { state, columns, dispatch } = useFormQuery();
  const inForce = optionsInForce(state, columns);
  const own = viewOf(state.view).options;
  const lines = own.filter(({ editor }) => editor === place);
  const fields = lines.map(({ name, label, choices, accepts, hint }) => {
    const options = choices(state, columns);
    return (
      options.length > 0 && (
        <Field key={name} label={label}>
          {accepts !== undefined && (
            <TypedOption
              key={inForce[name]}
              label={`${label} as text`}
              testId={`option-${name}-text`}
              hint={hint ?? ""}
              value={accepts(inForce[name] ?? "") ? (inForce[name] ?? "") : ""}
              accepts={accepts}
              onChange={(text) => {
                const value = text === "" ? "auto" : text;
                dispatch({ kind: "set option", name, value });
              }}
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
  return (
    <>
      {fields}
      {place === undefined && own.some(({ editor }) => editor === "scale") && <ScaleField />}
    </>
  );
}
