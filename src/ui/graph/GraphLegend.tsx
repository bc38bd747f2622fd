/** What the marks mean. */
const MARKS: readonly (readonly [mark: string, name: string, meaning: string])[] = [
  ['▶', 'start', 'where the episodes begin'],
  ['✓', 'goal', 'an episode reached the goal here'],
  ['✕', 'failure', 'an episode failed here'],
  ['❘', 'cut', 'a bar behind a state: the step limit ended an episode here'],
  ['×5', 'chain', 'five states with only one path through; a click shows them'],
  ['━', 'thick line', 'many episodes made this step'],
  ['┄', 'dashed line', 'leads back, or to a state equally far from the start'],
  ['⟲', 'loop', 'a step that changes nothing; several are drawn as one'],
  ['▲', 'orange', 'steps that the update will favor'],
  ['▼', 'purple', 'steps that it will discourage; without color: neither'],
  ['○', 'blue glow', 'the path of the selected episode'],
];

export function GraphLegend() {
  return (
    <details className="more" open>
      <summary>How to read this</summary>
      <p className="quiet">
        Every circle is a state and every line a step that was taken, ordered from left to right by distance from the
        start. Where many episodes take the same step, the line is thick and their credit averages out; where they part,
        you can see which direction was good. Click a line to list the episodes that took that step; click in the strips
        or on the stage to mark the path of that episode here.
      </p>
      <dl className="graphlegend">
        {MARKS.map(([mark, name, meaning]) => (
          <div key={name}>
            <dt>
              <span aria-hidden className="mark">
                {mark}
              </span>{' '}
              {name}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
