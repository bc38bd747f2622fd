import { useRef } from 'react';
import type { Config } from '../../config/slots.ts';
import { focusOn, RUN_BUTTON } from '../focus.ts';
import { Modal, ModalText } from '../Modal.tsx';
import { goBackTo } from './story.ts';
import { lossOf } from './words.ts';

type Props = { config: Config; from: number; to: number; close: () => void };

/** Says what is lost before the run continues from an earlier update. */
export function RewindDialog({ config, from, to, close }: Props) {
  const isDropping = useRef(false);
  return (
    <Modal
      title={`Continue after update ${from}?`}
      closeLabel="Close and keep everything"
      // the button that asked goes with the past
      returnsFocus={() => !isDropping.current}
      close={close}
    >
      <ModalText>{lossOf(config, from, to)}</ModalText>
      <div className="row">
        <button
          type="button"
          className="primary"
          onClick={() => {
            isDropping.current = true;
            close();
            void goBackTo(from).then(() => focusOn(RUN_BUTTON));
          }}
        >
          Drop them and continue
        </button>
        <button type="button" onClick={close}>
          Keep everything
        </button>
      </div>
    </Modal>
  );
}
