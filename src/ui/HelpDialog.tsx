import { CircleHelp, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { KEYS } from './keys.ts';
import { look, useView } from './stores/view.ts';

/** What this page is, how to read it, and its keys. */
export function HelpDialog() {
  const keysOn = useView((v) => v.keysOn);
  return (
    <Dialog.Root>
      <Dialog.Trigger asChild>
        <button type="button" className="icon" aria-label="Help">
          <CircleHelp aria-hidden size={18} />
        </button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog">
          <Dialog.Title>How to read this page</Dialog.Title>
          <Dialog.Description>
            Press Run. Several copies of one agent (seeds) learn the same task side by side, in this browser tab. The
            map shows one episode of the newest batch, the arrows what the policy would do in each cell.
          </Dialog.Description>
          <p>
            The strips under the map are the credit: one row per episode, one cell per step. Orange says “do this more”,
            purple “do this less”. Where the task is small, the exact advantage is computed as well and shown next to
            the estimate: the closer the two look, the better the method tells good steps from bad ones.
          </p>
          <p>
            Nothing leaves your computer. A link holds the settings of an experiment, never code, and never starts by
            itself.
          </p>
          <h3>Keys</h3>
          <dl className="keys">
            {KEYS.map(([keys, does]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <label className="check">
            <input type="checkbox" checked={keysOn} onChange={(event) => look({ keysOn: event.target.checked })} />{' '}
            Single keys act
          </label>
          <Dialog.Close asChild>
            <button type="button" className="icon close" aria-label="Close help">
              <X aria-hidden size={18} />
            </button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
