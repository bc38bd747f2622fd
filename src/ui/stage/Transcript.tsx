import { useLayoutEffect, useRef } from 'react';
import type { Line } from './transcript.ts';

/** Commands and answers, newest last. `isLive`: screen readers hear new lines. */
export function Transcript({ lines, isLive }: { lines: readonly Line[]; isLive: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current!.scrollTop = box.current!.scrollHeight;
  }, [lines]);
  return (
    <div
      className="transcript"
      role="log"
      aria-label="Commands and answers"
      aria-live={isLive ? 'polite' : 'off'}
      tabIndex={0}
      ref={box}
    >
      {lines.map(({ who, text }, k) => (
        <p key={k} className={who}>
          {who === 'agent' && <span className="visually-hidden">Command: </span>}
          {text}
        </p>
      ))}
    </div>
  );
}
