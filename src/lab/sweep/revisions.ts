import { actingIn } from '../../config/schema.ts';
import { slots, type Config, type SlotId } from '../../config/slots.ts';
import { networks } from '../../networks/registry.ts';
import { estimators, objectives, optimizers } from '../../slots/methods.ts';
import { controllers, revisions, rewards, sources } from '../../slots/registry.ts';

type Revised = { readonly id: string; readonly rev: number };

const REVISED: Readonly<Partial<Record<SlotId, readonly Revised[]>>> = {
  source: sources,
  reward: rewards,
  advantage: estimators,
  revise: revisions,
  objective: objectives,
  control: controllers,
  optimizer: optimizers,
  // one that never changed is not named: what was kept before networks were told stays as good as it is
  policy: networks.filter(({ rev }) => rev > 1),
};

/** The revision of every method that acts in a config: what was trained with another one has other numbers. */
export function revisionsOf(config: Config): Readonly<Record<string, number>> {
  return Object.fromEntries(
    slots.flatMap((slot) =>
      actingIn(config, slot).flatMap(({ module }) => {
        const found = REVISED[slot.id]?.find(({ id }) => id === module.id);
        return found ? [[`${slot.id}.${module.id}`, found.rev] as const] : [];
      }),
    ),
  );
}
