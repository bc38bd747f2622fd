import { totalmem } from 'node:os';

/** Bytes of memory that this process may use: those of the machine, or fewer in a container that is given fewer. */
export function memoryOfMachine(): number {
  const given = process.constrainedMemory?.() ?? 0;
  return given > 0 ? Math.min(totalmem(), given) : totalmem();
}
