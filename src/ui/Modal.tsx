import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useState, type ReactNode } from 'react';

type Props = {
  title: string;
  /** name of the button that closes, e.g. “Close help” */
  closeLabel: string;
  className?: string;
  /** false: whoever opened it does not get the focus back, because it goes elsewhere */
  returnsFocus?: () => boolean;
  /** a text to read: it has the focus itself, and its keys scroll it; else the first thing in it that takes keys */
  isText?: boolean;
  /** true: Escape was for something inside, and that is done */
  keepsOpen?: () => boolean;
  close: () => void;
  children: ReactNode;
};

/** A dialog that is open as long as it is in the page. Its keys are its own; afterwards the focus is where it was. */
export function Modal({
  title,
  closeLabel,
  className = 'dialog',
  returnsFocus = () => true,
  isText = false,
  keepsOpen,
  close,
  children,
}: Props) {
  const [opener] = useState(() => document.activeElement);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className={className}
          onKeyDown={(event) => event.stopPropagation()}
          onEscapeKeyDown={(event) => keepsOpen?.() && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            if (!isText) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus({ preventScroll: true });
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (returnsFocus() && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
          }}
        >
          <Dialog.Title>{title}</Dialog.Title>
          {children}
          <Dialog.Close asChild>
            <button type="button" className="icon close" aria-label={closeLabel}>
              <X aria-hidden size={18} />
            </button>
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

export const ModalText = Dialog.Description;
