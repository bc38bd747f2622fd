type Json = { [name: string]: unknown };

/** What version 2 had in other slots, with its defaults. */
export const beforeStacks: Json = {
  objective: {
    ...{ klControl: 'set', klTarget: 0, klHorizon: 1000, klPreview: false, klStop: 0 },
    ...{ entropyTarget: 0, entropyGain: 0.01, reset: 'never', resetEvery: 100 },
    ...{ negativeScale: false, negativeBase: 0.5, negativeSlope: 1.5, virtualTarget: false, virtualEntropy: 0.3 },
  },
  advantage: { matched: false },
};

/** Paths below a module of a stack, with their values. */
type Moved = readonly (readonly [path: string, value: unknown])[];

const to =
  (path: string) =>
  (value: unknown): Moved => [[path, value]];
/** A number that was 0 where it was off. What it never could be is handed on, so that the schema refuses it. */
const aim =
  (module: string, name: string) =>
  (value: unknown): Moved =>
    value === 0
      ? [[`${module}.on`, false]]
      : [
          [`${module}.on`, true],
          [`${module}.${name}`, value],
        ];
/** A switch that was one choice of several; a choice that there never was becomes text, which no switch can be. */
const chosen = (value: unknown, choice: string, others: readonly unknown[]): boolean | string =>
  others.includes(value) ? false : value === choice || String(value);

/** Where each setting went. What was off keeps the number that today's default aims at. */
const MOVES: Readonly<Record<string, (value: unknown) => Moved>> = {
  'advantage.matched': to('revise.matchSize.on'),
  'objective.negativeScale': to('revise.softerBlame.on'),
  'objective.negativeBase': to('revise.softerBlame.base'),
  'objective.negativeSlope': to('revise.softerBlame.slope'),
  'objective.virtualTarget': to('revise.virtualTarget.on'),
  'objective.virtualEntropy': to('revise.virtualTarget.entropy'),
  'objective.klControl': (value) => [['control.safe.on', chosen(value, 'safe', ['set'])]],
  'objective.klTarget': aim('control.adaptiveKl', 'target'),
  'objective.klHorizon': to('control.adaptiveKl.horizon'),
  'objective.klPreview': to('control.stepPreview.on'),
  'objective.klStop': aim('control.klStop', 'limit'),
  'objective.entropyTarget': aim('control.entropyTarget', 'target'),
  'objective.entropyGain': to('control.entropyTarget.gain'),
  'objective.reset': (value) => [
    ['control.resetStalled.on', chosen(value, 'stalled', ['never', 'every'])],
    ['control.resetEvery.on', chosen(value, 'every', ['never', 'stalled'])],
  ],
  'objective.resetEvery': to('control.resetEvery.updates'),
};

/** Has a config settings where version 2 had them? */
export const isBeforeStacks = (config: Json): boolean =>
  Object.keys(MOVES).some((path) => {
    const [slot, name] = path.split('.') as [string, string];
    const of = config[slot];
    return typeof of === 'object' && of !== null && Object.hasOwn(of, name);
  });

/** 2 → 3: controllers and revisions of the credit left the objective and the advantage; a fork names settings, too. */
export function withStacks(config: Json): Json {
  const result = structuredClone(config);
  for (const [path, moved] of Object.entries(MOVES)) {
    const [slot, name] = path.split('.') as [string, string];
    const from = result[slot] as Json; // a full config has every slot
    const value = from[name];
    delete from[name];
    for (const [target, now] of moved(value)) {
      const [stack, module, setting] = target.split('.') as [string, string, string];
      const group = ((result[stack] ??= {}) as Json)[module] as Json;
      group[setting] = now;
    }
  }
  const run = result['run'] as Json;
  return { ...result, run: { ...run, fork: forkOf(run['fork']) } };
}

/** The text of a fork with the names of today; one that cannot be read stays, and the rules refuse it. */
function forkOf(text: unknown): unknown {
  if (typeof text !== 'string' || !Object.keys(MOVES).some((path) => text.includes(path))) return text;
  try {
    const list = JSON.parse(text) as readonly { readonly at: unknown; readonly was: Json }[];
    return JSON.stringify(
      list.map((entry) => ({
        ...entry,
        was: Object.fromEntries(
          Object.entries(entry.was).flatMap(([path, value]) =>
            Object.hasOwn(MOVES, path) ? MOVES[path]!(value) : [[path, value]],
          ),
        ),
      })),
    );
  } catch {
    return text;
  }
}
