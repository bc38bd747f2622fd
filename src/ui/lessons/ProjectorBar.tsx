import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { unless } from '../focus.ts';
import './list.css';
import { goToSlide, leaveProjector } from './projector.ts';

/** Where the room is, and the ways on and out; the keys do the same. */
export function ProjectorBar({ slide, last }: { readonly slide: number; readonly last: number }) {
  return (
    <nav className="projectorbar" aria-label="Slides" title="Keys: → next, ← before, R run, Esc leave">
      <button type="button" aria-label="Slide before" {...unless(slide <= 1, () => goToSlide(slide - 1))}>
        <ChevronLeft aria-hidden size={18} />
      </button>
      <span role="status">
        Slide {slide} of {last}
      </span>
      <button type="button" aria-label="Next slide" {...unless(slide >= last, () => goToSlide(slide + 1))}>
        <ChevronRight aria-hidden size={18} />
      </button>
      <button type="button" aria-label="Leave the projector" onClick={leaveProjector}>
        <X aria-hidden size={18} />
      </button>
    </nav>
  );
}
