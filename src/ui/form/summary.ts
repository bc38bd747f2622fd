import { shownValue } from '../../config/diff.ts';
import { ON } from '../../contract/module.ts';
import { defaultConfig, fields, getValue, isActive, isStacked, methodOf, sameValue } from '../../config/schema.ts';
import type { Config, Slot } from '../../config/slots.ts';

const defaults = defaultConfig();
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  rollout: ['rollout.tasksPerBatch', 'rollout.groupSize'],
  objective: ['objective.epochs'],
  optimizer: ['optimizer.learningRate'],
  run: ['run.seeds', 'run.updates'],
};

/** One line for a closed group: the method, then the settings that matter or differ ("GiGPO, ω 1, γ 0.95"). */
export function summaryOf(config: Config, slot: Slot): string {
  const method = slot.modules.find((m) => m.id === methodOf(config, slot.id));
  const parts: string[] = slot.modules.length > 1 && method ? [method.title] : [];
  for (const field of fields) {
    if (field.slot.id !== slot.id || field.setting === null || !isActive(config, field)) continue;
    const value = getValue(config, field.path);
    const isChanged = !sameValue(value, getValue(defaults, field.path));
    const isKey = SHOWN[slot.id]?.includes(field.path) || field.name === 'level' || field.name === 'hidden';
    const isSymbol = slot.id === 'advantage' && field.module !== null && field.setting.formula !== undefined;
    if (!isChanged && !isKey && !isSymbol) continue;
    const setting = field.setting;
    if (field.name === ON && field.module !== null && isStacked(slot, field.module)) {
      parts.push(setting.label);
      continue;
    }
    if (setting.kind === 'choice') parts.push(shownValue(field, value));
    else if (setting.kind === 'text') parts.push(setting.label.toLowerCase());
    else parts.push(`${isSymbol ? setting.formula : setting.label.toLowerCase()} ${shownValue(field, value)}`);
  }
  return parts.length > 0 ? parts.join(', ') : slot.modules.length > 0 ? 'standard' : 'nothing';
}
