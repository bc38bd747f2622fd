import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Term } from './terms.ts';
import './glossary.css';

const MARGIN = 8;

/** Over everything else, below the symbol, or above it where there is no room. */
function place(box: HTMLElement, symbol: HTMLElement): void {
  // browsers from before 2024 have no top layer; there the box is over the page as far as its column allows
  box.showPopover?.();
  const at = symbol.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const isBelow = at.bottom + height + MARGIN < window.innerHeight;
  box.style.top = `${isBelow ? at.bottom + 4 : Math.max(MARGIN, at.top - height - 4)}px`;
  box.style.left = `${Math.max(MARGIN, Math.min(at.left, window.innerWidth - width - MARGIN))}px`;
  box.focus({ preventScroll: true });
}

/** A symbol as a button that opens what it means; Esc, a click elsewhere or the button itself close it. */
export function Meaning({ term, children }: { term: Term; children?: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const symbol = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    place(box.current!, symbol.current!);
    const from = symbol.current!.getBoundingClientRect().top;
    // an event of a scroll that came before, or of another box, moves nothing
    const close = (): void => {
      if (symbol.current && Math.abs(symbol.current.getBoundingClientRect().top - from) > 1) setOpen(false);
    };
    window.addEventListener('scroll', close, { capture: true, passive: true });
    return () => window.removeEventListener('scroll', close, { capture: true });
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // what holds the symbol, such as a drawer, stays open
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    setOpen(false);
    symbol.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        ref={symbol}
        type="button"
        className="symbol"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        aria-controls={isOpen ? id : undefined}
        onClick={(event) => {
          event.preventDefault();
          setOpen(!isOpen);
        }}
      >
        {children ?? <span className="formula">{term.symbols[0]}</span>}
        <span className="visually-hidden"> {term.name}</span>
      </button>
      {isOpen && (
        <span
          ref={box}
          id={id}
          popover="manual"
          role="dialog"
          tabIndex={-1}
          className="meaning"
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-text`}
          onKeyDown={onKeyDown}
          onBlur={({ relatedTarget }) => relatedTarget !== symbol.current && setOpen(false)}
        >
          <strong id={`${id}-name`}>
            <span className="formula">{children ?? term.symbols[0]}</span> {term.name}
          </strong>
          <span id={`${id}-text`}>{term.text}</span>
        </span>
      )}
    </>
  );
}
