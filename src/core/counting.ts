/**
 * One way of counting, for everybody who tells a person about an update. Inside, updates are indices from 0. People count
 * from 1: **update n** is the n-th one, with its batch, its numbers, its alarms. A checkpoint is the policy **after
 * update n**; after 0 updates it is the start, and it plays the batch of update n + 1. A change of a setting at index u is
 * in force from update u + 1 on. An evaluation is made between two updates, on the policy after the first of them.
 */

/** Number of the update at an index. */
export const updateNumber = (index: number): number => index + 1;
