import { optionsInForce } from "../../../query/viewOption.js";
import { viewOf } from "../../../query/views/registry.js";
import { Select } from "../../../ui/Select.js";
import { useExplore } from "../explore.js";
import { Field } from "./Field.js";

/** The view's own choices. */
export function OptionFields() {
  const { state, columns, dispatch } = useExplore();
  const inForce = optionsInForce(state, columns);
  return viewOf(state.view).options.map(({ name, label, choices }) => {
    const options = choices(state, columns);
    return (
      options.length > 0 && (
        <Field key={name} label={label}>
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
