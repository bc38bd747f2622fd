import { readFile } from 'node:fs/promises';
import { canonicalJson } from '../../config/canonical.ts';
import { configWith, fieldAt, isActive } from '../../config/schema.ts';
import type { Changes, Description } from '../../lab/sweep/description.ts';
import { metricsPath, readFolder } from '../sweeps/folder.ts';
import type { Size } from './creditFidelity.ts';
import { read, type Row } from './rows.ts';
import { changesOf, rowOf, SETTINGS, updatesOf } from './stability.ts';

/** One way of learning at one level, and the group of the sweep that trains it. */
type Place = { readonly setting: string; readonly way: string; readonly level: string; readonly group: string };
type Placed = { readonly places: readonly Place[]; readonly sets: ReadonlyMap<string, Changes> };

/** Every place of the study; two that are the same experiment, as where rounding changes nothing, share a group. */
function placed(size: Size): Placed {
  const known = new Map<string, string>();
  const sets = new Map<string, Changes>();
  const places = SETTINGS.flatMap((setting) =>
    setting.ways.flatMap((way) =>
      setting.levels.map((level): Place => {
        const all = { ...changesOf(setting, way, level), 'run.updates': updatesOf(setting, size) };
        const config = configWith(all);
        // a sweep refuses what has no effect, and says itself where it trains
        const own = Object.entries(all).filter(([path]) => path !== 'run.backend' && isActive(config, fieldAt(path)!));
        const key = canonicalJson(Object.fromEntries(own));
        const name = `${setting.id}/${way.id}/${level}`;
        const group = known.get(key) ?? name;
        known.set(key, group);
        if (group === name) sets.set(name, Object.fromEntries(own) as Changes);
        return { setting: setting.id, way: way.id, level, group };
      }),
    ),
  );
  return { places, sets };
}

/** The study as a sweep: a group for each way of learning at each level. */
export function stabilitySweep(size: Size): Description {
  const cells = [...placed(size).sets].map(([name, set]) => ({ name, set }));
  return { base: 'key-door', cells, seeds: size.seeds };
}

/** The rows of the study from the folder of its sweep, or the sentence of why there are none. Unfinished cells are left out. */
export async function stabilityRows(folder: string, size: Size): Promise<Row[] | string> {
  const found = await readFolder(folder);
  if (typeof found === 'string') return found;
  const { plan, results } = found;
  const rows: Row[] = [];
  for (const { setting, way, level, group } of placed(size).places) {
    for (const cell of plan.cells.filter((c) => plan.groups[c.group]!.name === group)) {
      const result = results.get(cell.address);
      if (!result) continue;
      const metrics = read(await readFile(metricsPath(folder, cell.address), 'utf8'));
      const ess = metrics.map((line) => line['essStart'] as number).filter(Number.isFinite);
      const what = { setting, way, level, seed: cell.seed };
      rows.push(rowOf(what, { success: result.evaluations.success, ess }));
    }
  }
  return rows.length > 0 ? rows : `“${folder}” holds no finished cell of this study.`;
}
