import { useRef } from 'react';
import { CAPS } from '../../lessons/format/lesson.ts';
import { openFile } from './openFile.ts';

/** A lesson from a file of the reader: chosen here, or dropped anywhere on the page. */
export function OpenFile() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <section className="openlesson" aria-label="Open a lesson file">
      <h3>Open a lesson file</h3>
      <p>
        A lesson is one YAML file of at most {CAPS.bytes / 1000} kB. It is data: nothing in it runs or starts by itself,
        and it stays on this computer. You can also drop the file on this page.
      </p>
      <p>
        <button type="button" onClick={() => input.current!.click()}>
          Choose a file
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".yaml,.yml,.json"
          aria-label="Lesson file"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void openFile(file);
            target.value = '';
          }}
        />
      </p>
    </section>
  );
}
