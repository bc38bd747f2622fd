import { problemLine } from '../config/problems.ts';
import { replicasOf, thetaOf } from '../contract/state.ts';
import { CHECKED_SLOTS } from '../engine/backend.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { seenBy } from '../engine/past.ts';
import { restrictionAfter } from '../engine/restriction.ts';
import { createRun, type Run } from '../engine/run.ts';
import { measureLookahead, type AheadRequest, type AheadResult } from '../lab/lookahead/lookahead.ts';
import { lookahead } from '../lab/analysis/lookahead.ts';
import type { Args } from './args.ts';
import { experimentOf } from './experiment.ts';
import { mayGoOn } from './interrupt.ts';

export const LOOKAHEAD_USAGE = `npm run lab -- lookahead <preset | config.json | link> [--depth N] [--width K] [--leaf value|potential|none] [--commit N] [--gamma G] [the options of run]
  trains on the CPU path, then tells how often the agent succeeds with 1 … N steps of lookahead`;

/** Settings of the lookahead from options; a sentence where one is not known or out of range. */
function requestOf({ options }: Args): AheadRequest | string {
  const found: Record<string, number | string> = {};
  for (const [name, setting] of Object.entries(lookahead.params)) {
    const text = options[name];
    if (text === undefined) found[name] = name === 'leaf' ? 'none' : setting.default;
    else if (setting.kind === 'choice') {
      if (!(setting.options as readonly string[]).includes(text))
        return `--${name} is one of ${setting.options.join(', ')}.`;
      found[name] = text;
    } else {
      const x = Number(text);
      const isFine = x >= setting.min && x <= setting.max && (setting.kind !== 'integer' || Number.isInteger(x));
      if (!isFine) return `--${name} is a number from ${setting.min} to ${setting.max}.`;
      found[name] = x;
    }
  }
  return found as AheadRequest;
}

/** Success with each depth for one seed. */
async function measured(run: Run, replica: number, request: AheadRequest): Promise<AheadResult | string> {
  const { plan } = run;
  const { state } = await run.checkpoint();
  const own = replicasOf(state, plan.S, replica, 1);
  const of = { theta: seenBy(plan, thetaOf(own)), restriction: restrictionAfter(plan, own) };
  const steps = measureLookahead(plan, replica, of, request);
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
    await mayGoOn();
  }
}

const percent = (x: number): string => `${(100 * x).toFixed(1)} %`;

/** `lab lookahead`: trains and looks ahead; exit code 1 where nothing could be measured. */
export async function lookaheadCommand(args: Args): Promise<number> {
  const [, what, ...rest] = args.words;
  if (what === undefined || rest.length > 0) return say(`Usage: ${LOOKAHEAD_USAGE}`);
  const request = requestOf(args);
  if (typeof request === 'string') return say(request);
  const experiment = await experimentOf(what, { ...args, options: { ...args.options, backend: 'cpu' } });
  if (typeof experiment === 'string') return say(experiment);
  const made = await createRun(experiment.config, makeCpuBackend);
  if (!made.ok) return say(problemLine(made.problem));
  const run = made.value;
  try {
    while (run.update < run.updates) {
      const { bad } = await run.submit();
      const slot = bad.find((x) => x !== 0);
      if (slot !== undefined)
        return say(`A number of the ${CHECKED_SLOTS[slot - 1]} was not finite in update ${run.update}.`);
      await mayGoOn();
    }
    for (let s = 0; s < run.plan.S; s++) {
      const found = await measured(run, s, request);
      if (typeof found === 'string') return say(found);
      tell(experiment.name, run, s, found);
    }
    return 0;
  } finally {
    run.dispose();
  }
}

function tell(name: string, run: Run, s: number, { levels, isExact, policy, likeliest, success, held }: AheadResult) {
  const how = isExact ? 'exact' : 'from episodes';
  console.log(
    `${name}, seed ${run.plan.seeds[s]}, after ${run.update} updates: ${levels} ${levels === 1 ? 'level' : 'levels'}, ${how}`,
  );
  console.log(
    `without lookahead  ${percent(policy)}${likeliest === null ? '' : `, most likely actions ${percent(likeliest)}`}`,
  );
  success.forEach((x, d) =>
    console.log(`depth ${d + 1}  ${percent(x)}${held ? `, ${Math.round(held[d]!)} states a decision` : ''}`),
  );
}

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}
