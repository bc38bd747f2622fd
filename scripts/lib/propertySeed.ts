import fc from 'fast-check';

/**
 * Properties draw the same cases in every run, so that a suite which passed passes again. `PROPERTY_SEED=7 npx vitest …`
 * draws others; a counterexample names its seed.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 1) });
