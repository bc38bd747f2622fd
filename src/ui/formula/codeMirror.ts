import {
  autocompletion,
  closeCompletion,
  completionStatus,
  startCompletion,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { history, historyKeymap } from '@codemirror/commands';
import { EditorSelection, EditorState, StateEffect, StateField, type Range } from '@codemirror/state';
import {
  closeHoverTooltips,
  Decoration,
  EditorView,
  hasHoverTooltips,
  hoverTooltip,
  keymap,
  placeholder,
  type Command,
  type DecorationSet,
} from '@codemirror/view';
import { changeBetween } from './changeBetween.ts';
import type { Fault, Offer, Reading, Told } from './reading.ts';

/** The editor proper. This file is the only one that knows CodeMirror; it comes when someone writes a formula. */
export type CodeView = {
  /** Replaces what differs, so that cursor and undo stay. */
  write(text: string): void;
  /** Puts the cursor at a place and the focus into the editor. */
  goTo(place: number): void;
  /** Closes what Escape closes first: the list of completions, or what hovering shows. False if there was nothing. */
  dismiss(): boolean;
  /** The text means something else now, because the experiment has changed. */
  readAgain(): void;
  destroy(): void;
};

export type CodeOptions = {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  /** id of the element that says how the keys work */
  readonly describedBy: string;
  readonly hint: string;
  read(text: string): Reading;
  changed(text: string): void;
  moved(told: Told | null): void;
  /** someone asks what stands at the cursor */
  asked(told: Told | null): void;
};

const element = (className: string, ...lines: readonly string[]): HTMLElement => {
  const box = document.createElement('div');
  box.className = className;
  lines.filter(Boolean).forEach((line, k) => {
    const p = box.appendChild(document.createElement('p'));
    p.textContent = line;
    if (k > 0) p.className = 'quiet';
  });
  return box;
};

/** Color of the pieces, and a line under what is wrong. */
function marksOf({ pieces, faults, text }: Reading): DecorationSet {
  const ranges: Range<Decoration>[] = pieces.map(({ from, to, kind }) =>
    Decoration.mark({ class: `code-${kind}` }).range(from, to),
  );
  for (const { from, to } of faults) {
    // at the end of the text there is nothing to underline but what stands before
    const end = Math.min(text.length, Math.max(to, from + 1));
    const start = Math.max(0, Math.min(from, end - 1));
    if (end > start) ranges.push(Decoration.mark({ class: 'code-fault' }).range(start, end));
  }
  return Decoration.set(ranges, true);
}

const completionOf = (offer: Offer) => ({
  label: offer.label,
  type: offer.kind,
  detail: offer.why === null ? offer.type : 'not here',
  info: () =>
    offer.why === null
      ? element('codeinfo', offer.form || offer.type, offer.doc)
      : element('codeinfo', 'Not in this experiment', offer.why),
  boost: offer.why === null ? 0 : -50,
  apply(view: EditorView, _: unknown, from: number, to: number) {
    view.dispatch({
      changes: { from, to, insert: offer.text },
      selection: { anchor: from + offer.cursor },
      userEvent: 'input.complete',
    });
    // what goes into the brackets comes next
    if (offer.text.endsWith('(')) startCompletion(view);
  },
});

const breakLine: Command = (view) => {
  view.dispatch(view.state.replaceSelection('\n'), { scrollIntoView: true, userEvent: 'input' });
  return true;
};

const faultAt = (reading: Reading, place: number): Fault | undefined =>
  reading.faults.find(({ from, to }) => place >= from && place <= Math.max(to, from + 1));

export function openCode(options: CodeOptions): CodeView {
  const { read } = options;
  const again = StateEffect.define<null>();
  const field = StateField.define<Reading>({
    create: (state) => read(state.doc.toString()),
    update: (reading, change) =>
      change.docChanged || change.effects.some((effect) => effect.is(again))
        ? read(change.state.doc.toString())
        : reading,
    provide: (self) => EditorView.decorations.from(self, marksOf),
  });
  const toldAt = (view: EditorView): Told | null => view.state.field(field).at(view.state.selection.main.head);
  const complete = (context: CompletionContext) => {
    const { from, to, offers } = context.state.field(field).offersAt(context.pos);
    const word = context.state.sliceDoc(from, to);
    // a word that is complete leaves Enter to the next line
    const isWhole = word === '' || offers.some(({ text }) => text === word);
    if (offers.length === 0 || (!context.explicit && isWhole)) return null;
    return { from, to, options: offers.map(completionOf) };
  };
  const hover = hoverTooltip((view, place) => {
    const reading = view.state.field(field);
    const fault = faultAt(reading, place);
    const told = reading.at(place);
    if (!fault && !told) return null;
    const dom = fault
      ? element('codeinfo', fault.message, fault.hint)
      : element('codeinfo', `${told!.name}: ${told!.type}`, told!.doc);
    const { from, to } = fault ?? told!;
    return {
      pos: Math.min(from, reading.text.length),
      end: Math.min(to, reading.text.length),
      above: true,
      create: () => ({ dom }),
    };
  });
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        field,
        history(),
        hover,
        autocompletion({ override: [complete], icons: false, interactionDelay: 0, tooltipClass: () => 'codelist' }),
        EditorView.lineWrapping,
        placeholder(options.hint),
        EditorView.contentAttributes.of({
          'aria-label': options.label,
          'aria-describedby': options.describedBy,
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        keymap.of([
          { key: 'Enter', run: breakLine },
          {
            key: 'Mod-i',
            run: (of) => {
              options.asked(toldAt(of));
              return true;
            },
          },
          ...historyKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.changed(update.state.doc.toString());
          if (update.docChanged || update.selectionSet) options.moved(toldAt(update.view));
        }),
      ],
    }),
  });
  return {
    write(text) {
      const before = view.state.doc.toString();
      if (before !== text) view.dispatch({ changes: changeBetween(before, text) });
    },
    goTo(place) {
      const at = Math.min(place, view.state.doc.length);
      view.dispatch({ selection: EditorSelection.cursor(at), scrollIntoView: true });
      view.focus();
    },
    dismiss() {
      const isChoosing = completionStatus(view.state) !== null;
      const isHovering = hasHoverTooltips(view.state);
      if (isChoosing) closeCompletion(view);
      else if (isHovering) view.dispatch({ effects: closeHoverTooltips });
      return isChoosing || isHovering;
    },
    readAgain: () => view.dispatch({ effects: again.of(null) }),
    destroy: () => view.destroy(),
  };
}
