import { Play, Square } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { shownValue as shownSetting } from '../../config/diff.ts';
import { fieldAt, getValue, sameValue, setValue, type Field } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { configOfArm } from '../../lessons/arms.ts';
import type { BlockOf } from '../../lessons/format/blocks.ts';
import { wordsOf } from '../../config/words/wordsOf.ts';
import { unless } from '../focus.ts';
import { Input } from '../form/Input.tsx';
import { Verdict } from './CheckView.tsx';
import { show } from './drive.ts';
import { stopTraining, tryExercise } from './lessonActions.ts';
import { goalKey, useLesson } from './lessonStore.ts';
import { Markdown } from './Markdown.tsx';
import { Progress } from './RunView.tsx';

type Exercise = BlockOf<'exercise'>['exercise'];

/** A task for the reader: up to five settings of an arm, and a goal that a run decides. */
export function ExerciseView({ exercise }: { readonly exercise: Exercise }) {
  const { id, text, arm, fields, goal } = exercise;
  const key = `exercise ${id}`;
  const spec = useLesson((l) => l.lesson!.arms.find((one) => one.id === arm)!);
  const check = useLesson((l) => l.lesson!.checks.find((one) => one.id === goal)!);
  const judged = useLesson((l) => l.judged[goalKey(id, goal)]);
  const live = useLesson((l) => (l.training?.key === key ? l.training.arms : null));
  const isBusy = useLesson((l) => l.training !== null);
  const problem = useLesson((l) => l.problems[key]);
  const [base, setBase] = useState<Config | string | null>(null);
  const [own, setOwn] = useState<Readonly<Record<string, unknown>>>({});
  useEffect(() => {
    let isHere = true;
    void configOfArm(spec).then((config) => isHere && setBase(config));
    return () => {
      isHere = false;
    };
  }, [spec]);
  if (typeof base === 'string')
    return (
      <p className="notice serious" role="alert">
        {base}
      </p>
    );
  const config = base && Object.entries(own).reduce((c, [path, value]) => setValue(c, path, value), base);
  return (
    <section className="exercise" aria-label="Exercise">
      <div className="exercisetext">
        <span className="blockname">Exercise</span>
        <Markdown text={text} />
      </div>
      {config &&
        fields.map((path) => (
          <OneField
            key={path}
            field={fieldAt(path)!}
            value={getValue(config, path)}
            first={getValue(base!, path)}
            set={(value) => setOwn((before) => ({ ...before, [path]: value }))}
          />
        ))}
      <p className="quiet">Goal: {check.says}</p>
      <p className="exerciseways">
        {live ? (
          <button type="button" onClick={stopTraining}>
            <Square aria-hidden size={16} /> Stop
          </button>
        ) : (
          <button type="button" {...unless(isBusy || !base, () => void tryExercise(exercise, own))}>
            <Play aria-hidden size={16} /> Try it
          </button>
        )}
        <button type="button" {...unless(!base, () => void show({ arm, tab: 'watch' }, own))}>
          Show in the world
        </button>
        {live && <Progress arms={live} />}
      </p>
      {problem !== undefined && (
        <p className="notice serious" role="alert">
          {problem}
        </p>
      )}
      {judged && <Verdict check={check} judged={judged} />}
    </section>
  );
}

type FieldProps = {
  readonly field: Field;
  readonly value: unknown;
  readonly first: unknown;
  readonly set: (value: unknown) => void;
};

/** A setting of the experiment, as the form has it, with what the lesson began with. */
function OneField({ field, value, first, set }: FieldProps) {
  const id = useId();
  const { setting, slot } = field;
  return (
    <div className={`field ${setting?.kind ?? 'choice'}`}>
      <label htmlFor={id}>
        {setting?.label ?? slot.title}
        {setting?.kind !== 'text' && setting !== null && 'unit' in setting && setting.unit && (
          <span className="unit"> ({setting.unit})</span>
        )}
      </label>
      <div className="inputs">
        {setting ? (
          <Input setting={setting} value={value} id={id} helpId={`${id}-help`} set={set} />
        ) : (
          <select id={id} aria-describedby={`${id}-help`} value={String(value)} onChange={(e) => set(e.target.value)}>
            {slot.modules.map((module) => (
              <option key={module.id} value={module.id}>
                {module.title}
              </option>
            ))}
          </select>
        )}
      </div>
      <p id={`${id}-help`} className="help">
        {setting && wordsOf(setting.doc)}{' '}
        {!sameValue(value, first) && `The lesson began with ${shownSetting(field, first as never)}.`}
      </p>
    </div>
  );
}
