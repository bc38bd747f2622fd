type Props = {
  label: string;
  value: string;
  options: readonly string[];
  say?: (option: string) => string;
  set: (value: string) => void;
};

/** A select with its label. A value that is not among the options is shown as it is. */
export function Choice({ label, value, options, say = (option) => option, set }: Props) {
  const all = options.includes(value) ? options : [value, ...options];
  return (
    <label className="inline choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(event.target.value)}>
        {all.map((option) => (
          <option key={option} value={option}>
            {say(option)}
          </option>
        ))}
      </select>
    </label>
  );
}
