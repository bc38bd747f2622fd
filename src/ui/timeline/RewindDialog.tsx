import type { Config } from '../../config/slots.ts';
import { Modal, ModalText } from '../Modal.tsx';
import { goBackTo } from './story.ts';
import { lossOf } from './words.ts';

type Props = { config: Config; from: number; to: number; close: () => void };

/** Says what is lost before the run goes on from an earlier update. */
export function RewindDialog({ config, from, to, close }: Props) {
  return (
    <Modal title={`Continue from update ${from}?`} closeLabel="Close and keep everything" close={close}>
      <ModalText>{lossOf(config, from, to)}</ModalText>
      <div className="row">
        <button
          type="button"
          className="primary"
          onClick={() => {
            close();
            void goBackTo(from);
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
