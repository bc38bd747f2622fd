import { LESSON } from '../../logs/lesson.ts';
import { desk } from './desk.ts';
import { useLogs } from './logStore.ts';
import { showStep } from './showStep.ts';

/** “Where did your agent’s reward come from?”, step by step through the example in the house. */
export function Lesson() {
  const show = async (episode: string, t: number, told: string): Promise<void> => {
    const place = await desk().find(episode, t);
    if (!place) return;
    useLogs.setState(({ chosen }) => ({ told, chosen: chosen.includes(told) ? chosen : [...chosen, told] }));
    showStep(place);
  };
  return (
    <details className="loglesson" open>
      <summary>
        <strong>Where did your agent’s reward come from?</strong> A lesson with this example
      </summary>
      <ol>
        {LESSON.map(({ words, numbers: [look] }) => (
          <li key={words}>
            {words}{' '}
            {look && (
              <button type="button" className="inword" onClick={() => void show(look.episode, look.t, look.told)}>
                Show this step
              </button>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
