import { trainsOnCpuFor } from '../contract/columns.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { writes } from './networkRules.ts';
import type { Issue } from './rules.ts';
import { getValue } from './schema.ts';
import type { Config } from './slots.ts';

/** Where an estimator that credits single words trains, and what it does not go with. */
export function unitIssues(config: Config): Issue[] {
  const estimator = estimatorIn(config.advantage);
  if (!estimator || !trainsOnCpuFor(estimator.needs)) return [];
  const path = 'advantage.method';
  const found: Issue[] = [];
  const backend = config.run['backend'];
  const message = 'has values before every word, which have no WebGPU form: the run trains on the CPU';
  const onCpu = { label: 'run on the CPU', set: [{ path: 'run.backend', value: 'cpu' }] };
  if (backend !== 'cpu') found.push({ severity: 'hint', path, message });
  if (backend === 'webgpu')
    found.push({ severity: 'error', path: 'run.backend', message: `cannot train ${estimator.title}`, repair: onCpu });
  if (!writes(config))
    found.push({
      severity: 'hint',
      path,
      message: 'credits words, and here a step is one choice: each is credited as by GAE',
    });
  if (getValue(config, 'policy.critics') === 'double')
    found.push({
      ...{
        severity: 'error',
        path: 'policy.critics',
        message: `is not for ${estimator.title}: each word has one value`,
      },
      repair: { label: 'use one critic', set: [{ path: 'policy.critics', value: 'one' }] },
    });
  if (writes(config) && getValue(config, 'objective.ratioLevel') !== 'unit')
    found.push({
      ...{ severity: 'hint', path: 'objective.ratioLevel' },
      message: 'makes one ratio of a command: its words share the mean of their credit',
    });
  return found;
}
