/** What the marks mean. */
const MARKS: readonly (readonly [mark: string, name: string, meaning: string])[] = [
  ['▶', 'start', 'where the episodes begin'],
  ['✓', 'goal', 'an episode reached the goal here'],
  ['✕', 'failure', 'an episode failed here'],
  ['❘', 'cut', 'a bar behind a state: the step limit ended an episode here'],
  ['×5', 'chain', 'five states with only one way through; a click shows them'],
  ['━', 'thick line', 'many episodes made this step'],
  ['┄', 'dashed line', 'leads back, or to a state as far from the start'],
  ['⟲', 'loop', 'a step that changes nothing; many of them are drawn as one'],
  ['▲', 'orange', 'steps that the update will favor'],
  ['▼', 'purple', 'steps that it will discourage; without color: neither'],
  ['○', 'blue glow', 'the way of the selected episode'],
];

export function GraphLegend() {
  return (
    <details className="more" open>
      <summary>How to read this</summary>
      <p className="quiet">
        Every circle is a state, every line a step that somebody made, from left to right by the distance from the
        start. Where many episodes walk together the line is thick and its credit averages out; where they part, one can
        see which way was good. A click on a line shows everybody who made that step; a click in the strips or on the
        stage marks the way of that episode here.
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
