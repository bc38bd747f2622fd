import { CASES } from './cases.ts';
import { count } from './count.ts';

// counts of this tree as one line, for a process beside it
const counted = [];
for (const one of CASES) counted.push(await count(one));
process.stdout.write(`${JSON.stringify(counted)}\n`);
