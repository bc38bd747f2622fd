import { useMemo } from 'react';
import { updateNumber } from '../../core/counting.ts';
import { useGhosts, type Ghost } from '../ghosts/ghosts.ts';
import { useIsDark } from '../useTheme.ts';
import { PALETTES } from '../stage/palette.ts';
import { SignedScale } from './Legend.tsx';
import { limitOf } from './strips.ts';
import { StillStrip } from './StillStrip.tsx';

/** Credit of the newest batch of every kept run, below that of the run of now. */
export function GhostStrips() {
  const ghosts = useGhosts((g) => g.ghosts);
  return ghosts.map((ghost) => <GhostStrip key={ghost.id} ghost={ghost} />);
}

function GhostStrip({ ghost: { name, snapshot } }: { ghost: Ghost }) {
  const limit = useMemo(() => (snapshot ? limitOf(snapshot, snapshot.A) : 1), [snapshot]);
  const isDark = useIsDark();
  if (!snapshot) return null;
  const { B, success, update } = snapshot;
  const won = success.reduce((n, x) => n + x, 0);
  const told = `Kept: ${name}, batch of update ${updateNumber(update)}: ${won} of ${B} episodes reached the goal`;
  return (
    <figure className="ghoststrip">
      <figcaption>
        Kept: {name}{' '}
        <span className="quiet">
          batch of update {updateNumber(update)}, {won} of {B} episodes reached the goal
        </span>
      </figcaption>
      <StillStrip snapshot={snapshot} limit={limit} label={told} {...PALETTES[isDark ? 'dark' : 'light']} />
      <SignedScale limit={limit} what="on its own scale" />
    </figure>
  );
}
