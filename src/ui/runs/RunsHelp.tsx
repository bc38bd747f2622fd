/** What the lines are and what the keys do, for whoever asks. */
export function RunsHelp() {
  return (
    <details className="twin runshelp">
      <summary>How to use this table</summary>
      <ul className="notes quiet">
        <li>
          A line is a group: runs that differ in nothing but the seed, named by what distinguishes it from the others on
          its task. Success is the interquartile mean over its seeds with a 95 % interval.
        </li>
        <li>
          Select lines to compare them. What you do to a line leaves alone the runs of it that a filter hides, and the
          line says how many are shown.
        </li>
        <li>
          Keys, once the table has the focus: arrows move, with Shift they select; → and ← show and hide seeds; Space
          selects, Enter edits, P pins.
        </li>
        <li>
          Runs are kept in this browser only. Storage, above, says what they take, gives one file of everything, and
          deletes them. The page docs/runs.md of the project says more.
        </li>
      </ul>
    </details>
  );
}
