import { Maximize2, Minimize2 } from 'lucide-react';
import { useEffect } from 'react';
import { look, useView, type View } from '../stores/view.ts';

/** Gives a panel the whole window, and takes it back; so does Esc. */
export function Enlarge({ panel, name }: { panel: NonNullable<View['large']>; name: string }) {
  const isLarge = useView((v) => v.large === panel);
  const label = isLarge ? 'Show all panels again' : `Enlarge ${name}`;
  const Icon = isLarge ? Minimize2 : Maximize2;
  useEffect(() => {
    if (!isLarge) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) look({ large: null });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isLarge]);
  return (
    <button
      type="button"
      className="icon enlarge"
      aria-label={label}
      title={label}
      onClick={() => look({ large: isLarge ? null : panel })}
    >
      <Icon aria-hidden size={16} />
    </button>
  );
}
