import { ContinueOpened } from '../bundles/ContinueOpened.tsx';
import { ToMoment } from './ToMoment.tsx';
import { Verify } from './Verify.tsx';

/** What the link that is open says of its sender's run: the moment to go to, and the result to check; a bundle also brings its weights. */
export function FromLink() {
  return (
    <>
      <ToMoment />
      <Verify />
      <ContinueOpened />
    </>
  );
}
