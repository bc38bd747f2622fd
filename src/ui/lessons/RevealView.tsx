import type { BlockOf, Prediction } from '../../lessons/format/blocks.ts';
import { shownValue } from '../../lessons/format/words.ts';
import { hasRun, useLesson } from './lessonStore.ts';
import { Markdown } from './Markdown.tsx';

type Reveal = BlockOf<'reveal'>['reveal'];

/** What was right, beside what was predicted: after the run, and not before. */
export function RevealView({ reveal, k }: { readonly reveal: Reveal; readonly k: number }) {
  const prediction = useLesson((l) =>
    l.lesson!.blocks.flatMap((block) => ('predict' in block ? [block.predict] : [])).find((p) => p.id === reveal.of)!,
  );
  const given = useLesson((l) => l.answers[reveal.of]);
  const measured = useLesson((l) => (typeof reveal.answer === 'string' ? l.judged[reveal.answer]?.value : null));
  const isOpen = useLesson((l) => hasRun(l, k));
  if (given === undefined || !isOpen)
    return <p className="quiet revealwaits">The answer to “{prediction.question}” comes after the run.</p>;
  // the value of a check is a number, and no choice
  const right = typeof reveal.answer === 'number' ? reveal.answer : prediction.choices ? null : (measured ?? null);
  return (
    <div className="reveal" role="status">
      <p>
        <span className="blockname">Answer</span> {verdict(prediction, given, right)}
      </p>
      <Markdown text={reveal.text} />
    </div>
  );
}

function verdict({ choices, number }: Prediction, given: number, right: number | null): string {
  if (choices) {
    if (right === null) return `You predicted “${choices[given]}”.`;
    return given === right ? `Right: ${choices[right]}` : `You predicted “${choices[given]}”. It is: ${choices[right]}`;
  }
  const unit = number?.unit ? ` ${number.unit}` : '';
  const mine = `You predicted ${shownValue(given)}${unit}`;
  return right === null ? `${mine}.` : `${mine}. On this run it is ${shownValue(right)}${unit}.`;
}
