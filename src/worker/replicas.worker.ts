import * as Comlink from 'comlink';
import { CpuShare } from '../train/cpu/share.ts';

/** Entry of a worker that trains some replicas of a run on a core of its own. */
Comlink.expose(new CpuShare());
