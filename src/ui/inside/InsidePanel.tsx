import { updateNumber } from '../../core/counting.ts';
import { isBeside } from '../stage/beside.ts';
import { NotOfTheBatch } from '../stage/NotOfTheBatch.tsx';
import { useShown } from '../stage/shown.ts';
import { ChainPictures } from './ChainPictures.tsx';
import './inside.css';
import { ReadingPictures } from './ReadingPictures.tsx';
import { useInside } from './useInside.ts';
import { choiceWords } from './words.ts';

/** The policy from the inside, for the step on the stage: its weights, what its units do, what its heads read. */
export function InsidePanel() {
  const seen = useInside();
  const shown = useShown();
  const actions = shown?.actions ?? [];
  if (shown && isBeside(shown)) return <NotOfTheBatch what="The inside of the policy" />;
  if (seen === null) return <p className="quiet">After the first update, the inside of the policy is drawn here.</p>;
  if (seen === 'gone') {
    return (
      <p className="quiet">This batch is no longer kept. Follow the newest episode on the stage to see its policy.</p>
    );
  }
  return (
    <div className="inside">
      <p>
        Update {updateNumber(seen.update)}, episode {seen.i + 1}, step {seen.t + 1}: {choiceWords(actions, seen.probs)}.
        {seen.isNoisy && ' What is drawn here is the observation without the noise of this world.'}
      </p>
      {seen.kind === 'dense' && <ChainPictures inside={seen} actions={actions} />}
      {(seen.kind === 'words' || seen.kind === 'steps') && <ReadingPictures inside={seen} />}
      {seen.kind === 'plain' && <p className="quiet">There is no picture of this kind of network.</p>}
      {seen.tensors === null && (
        <p className="quiet">There are too many weights to keep redrawing: more than 500,000.</p>
      )}
    </div>
  );
}
