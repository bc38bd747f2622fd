import { useEffect } from 'react';
import { isTyping } from '../keys.ts';
import { useHash } from '../useHash.ts';

/** “#/lesson/same-state?projector=3”: the slide counted from 1, the first where no number stands; 0: not on a projector. */
function slideIn(hash: string): number {
  const found = /[?&]projector(?:=(\d{1,3}))?(?:&|$)/.exec(hash);
  return found ? Math.max(1, Number(found[1] ?? 1)) : 0;
}
export const useSlide = (): number => useHash(slideIn);

const home = (): string => location.hash.split('?')[0]!;
/** The address follows, so that a link leads to this slide, and Back leads to where the room came from. */
export const goToSlide = (slide: number): void => location.replace(`${home()}?projector=${slide}`);
export const leaveProjector = (): void => location.replace(home());

/** Keys of a presenter; those of the arrows belong to whatever has the focus and uses them. */
function aimOf({ key, target }: KeyboardEvent, slide: number, last: number): number | null {
  if (key === 'PageDown') return slide + 1;
  if (key === 'PageUp') return slide - 1;
  const isTaken = (target as HTMLElement | null)?.closest?.('.lessonlab, [role="tablist"], [role="slider"]');
  if (isTaken) return null;
  return { ArrowRight: slide + 1, ArrowLeft: slide - 1, Home: 1, End: last }[key] ?? null;
}

/** Large type and no chrome while a lesson is on a projector, and its keys. `run` starts what the slide trains. */
export function useProjector(slide: number, last: number, run: () => void): void {
  const isOn = slide > 0;
  useEffect(() => {
    if (!isOn) return undefined;
    document.documentElement.dataset['projector'] = '';
    return () => void delete document.documentElement.dataset['projector'];
  }, [isOn]);
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target as HTMLElement | null)) return;
      const aim = aimOf(event, slide, last);
      if (aim !== null) {
        event.preventDefault();
        if (aim >= 1 && aim <= last) goToSlide(aim);
      } else if (event.key === 'Escape') leaveProjector();
      else if (event.key.toLowerCase() === 'r') run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOn, slide, last, run]);
}
