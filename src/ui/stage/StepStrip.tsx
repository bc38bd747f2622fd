import { StepCells, type StepCellsProps } from './StepCells.tsx';

type Props = StepCellsProps & {
  /** what the strip is called on the screen */
  title: string;
  /** the names of its rows, from top to bottom */
  rowNames: readonly string[];
  className?: string;
};

/** A picture of an episode, one column for each step, with its title, its rows and the sentence of the chosen step. */
export function StepStrip({ title, rowNames, className = '', ...cells }: Props) {
  return (
    <div className="slim" role="group" aria-label={`${title} of this episode`}>
      <div className="slimhead">
        <span>{title}</span>
        <span className="slimwords">{cells.text}</span>
      </div>
      <div className="slimrows">
        <span className={`slimnames ${className}`.trim()} aria-hidden>
          {rowNames.map((name) => (
            <span key={name}>{name}</span>
          ))}
        </span>
        <StepCells {...cells} />
      </div>
    </div>
  );
}
