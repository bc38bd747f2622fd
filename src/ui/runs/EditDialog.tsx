import { useId, useState, type FormEvent } from 'react';
import type { RunRecord } from '../../lab/runs/record.ts';
import { Modal } from '../Modal.tsx';
import { idsOf, type Row } from './rows.ts';
import { label } from './runsStore.ts';

const MOST_TITLE = 120;
const MOST_NOTE = 1000;
const MOST_TAG = 40;

/** Words between commas, each once. */
export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim().slice(0, MOST_TAG))
      .filter((tag) => tag !== ''),
  ),
];

/** Title, tags and note of a run, or of all runs of a group; what nobody has changed stays as each of them has it. */
export function EditDialog({ row, close }: { readonly row: Row; readonly close: () => void }) {
  const id = useId();
  const { title, note, tags } = row.kind === 'group' ? row.group : row.run;
  const [form, setForm] = useState({ title, note, tags: tags.join(', ') });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const changed: Partial<Pick<RunRecord, 'title' | 'note' | 'tags'>> = {
      ...(form.title === title ? {} : { title: form.title.trim() }),
      ...(form.note === note ? {} : { note: form.note.trim() }),
      ...(form.tags === tags.join(', ') ? {} : { tags: tagsOf(form.tags) }),
    };
    if (Object.keys(changed).length > 0) void label(idsOf(row), () => changed);
    close();
  };
  const count = idsOf(row).length;
  const hidden = row.kind === 'group' ? row.group.runs.length - count : 0;
  return (
    <Modal title={`Edit ${row.name}`} closeLabel="Close without saving" close={close}>
      <form className="editrun" onSubmit={save}>
        <p className="quiet">
          {hidden > 0
            ? `${count} of the ${count + hidden} runs of this group: the filters hide the others, and they stay as they are.`
            : count === 1
              ? 'One run.'
              : `All ${count} runs of this group.`}
        </p>
        <label htmlFor={`${id}-title`}>Title</label>
        <input
          id={`${id}-title`}
          type="text"
          maxLength={MOST_TITLE}
          placeholder="named by what differs"
          value={form.title}
          onChange={(event) => setForm({ ...form, title: event.target.value })}
        />
        <label htmlFor={`${id}-tags`}>Tags, with commas between</label>
        <input
          id={`${id}-tags`}
          type="text"
          value={form.tags}
          onChange={(event) => setForm({ ...form, tags: event.target.value })}
        />
        <label htmlFor={`${id}-note`}>Note</label>
        <textarea
          id={`${id}-note`}
          rows={4}
          maxLength={MOST_NOTE}
          value={form.note}
          onChange={(event) => setForm({ ...form, note: event.target.value })}
        />
        <div className="editways">
          <button type="submit" className="primary">
            Save
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Modal>
  );
}
