import { describe, expect, test } from 'vitest';
import { wrongClaims } from './claims.ts';

/** A document with one conclusion over the tables that a study once had. */
const study = (conclusion: string, claims: string): string => `# A study

## What is surprising

- ${conclusion}
  <!-- claims
${claims}
  -->

<!-- measured -->

### Key and door: same batches

| estimator        | n                   | cosine            | updates               | matched              |
| ---------------- | ------------------- | ----------------- | --------------------- | -------------------- |
| GiGPO            | 8 seeds, 24 batches | 0.73 [0.70, 0.78] | 79 [74, 84], 8 of 8   | 97 [93, 100], 8 of 8 |
| GRPO             | 8 seeds, 24 batches | 0.62 [0.54, 0.69] | 170 [165, 175], 8 of 8 | 127 [121, 130], 8 of 8 |
| HGPO             | 8 seeds, 24 batches | 0.72 [0.69, 0.77] | 154 [150, 160], 8 of 8 | 95 [90, 100], 8 of 8 |
| GRAFT (one step) | 8 seeds, 24 batches | 0.87 [0.70, 0.90] | 42 [38, 46], 8 of 8   | 33 [31, 34], 8 of 8  |
| LOOP             | 8 seeds, 24 batches | 0.62 [0.54, 0.69] | 238 [233, > 240], 4 of 8 | 93 [91, 98], 8 of 8 |
| MARS             | 8 seeds, 24 batches | 0.70 [0.65, 0.75] | > 240, 0 of 8         | 112 [110, 115], 8 of 8 |

### Key and door: seed by seed

| estimator | n       | less GiGPO              |
| --------- | ------- | ----------------------- |
| HGPO      | 8 seeds | -2 [-5, +1], p 0.31     |
| GRPO      | 8 seeds | +30 [+26, +34], p 0.0078 |

### Rank correlation

| task         | n                      | gradient cosine   | weighted sign     |
| ------------ | ---------------------- | ----------------- | ----------------- |
| Key and door | 20 estimators, 8 seeds | 0.67 [0.60, 0.71] | 0.52 [0.40, 0.60] |

<!-- end of measured -->
`;

describe('sentences that the tables do not carry are refused', () => {
  test.each([
    [
      'HGPO overtakes GiGPO when steps are matched.',
      'Key and door: same | HGPO @ matched << GiGPO @ matched',
      'Key and door: same: 95 [90, 100], 8 of 8 against 97 [93, 100], 8 of 8 is not “HGPO @ matched << GiGPO @ matched”.',
    ],
    [
      'Weighted sign agreement would do better than the gradient cosine.',
      'Rank | Key and door @ weighted sign >> Key and door @ gradient cosine',
      'Rank: 0.52 [0.40, 0.60] against 0.67 [0.60, 0.71] is not “Key and door @ weighted sign >> Key and door @ gradient cosine”.',
    ],
    [
      'HGPO is faster, seed by seed.',
      'Key and door: seed | HGPO @ less GiGPO << 0',
      'Key and door: seed: -2 [-5, +1], p 0.31 against 0 is not “HGPO @ less GiGPO << 0”.',
    ],
    [
      'HGPO is another one.',
      'Key and door: seed | HGPO @ less GiGPO p <= 0.05',
      'Key and door: seed: 0.31 against 0.05 is not “HGPO @ less GiGPO p <= 0.05”.',
    ],
    [
      'GRPO needs 127 updates.',
      'Key and door: same | GRPO @ matched = 126\n given: 127',
      'Key and door: same: 127 [121, 130], 8 of 8 against 126 is not “GRPO @ matched = 126”.',
    ],
    [
      'MARS is the fastest.',
      'Key and door: same | MARS @ matched lowest',
      'Key and door: same: 112 [110, 115], 8 of 8 is not the lowest: “Key and door: same | MARS @ matched lowest”.',
    ],
    [
      'All seeds of LOOP get there.',
      'Key and door: same | LOOP @ updates = 8 of 8',
      'Key and door: same: 238 [233, > 240], 4 of 8 against 8 of 8 is not “LOOP @ updates = 8 of 8”.',
    ],
  ])('%s', (sentence, claims, why) => {
    expect(wrongClaims(study(sentence, claims))).toEqual([why]);
  });

  test('a conclusion without claims, a number nowhere claimed, and an estimator that no claim is about', () => {
    const text = study('GRPO is slow.', '').replace(/<!-- claims[\s\S]*?-->/, '');
    expect(wrongClaims(text)).toEqual(['“- GRPO is slow.…” has no claims.']);
    expect(wrongClaims(study('GiGPO needs 79, SALT 12, LOOP more.', 'Key | GiGPO @ updates = 79'))).toEqual([
      '“- GiGPO needs 79, SALT 12, LOOP more.…” says 12, and no claim does.',
      '“- GiGPO needs 79, SALT 12, LOOP more.…” claims nothing about LOOP.',
    ]);
  });

  test('a line that names no table, no relation or no cell', () => {
    expect(
      wrongClaims(study('So.', 'Sokoban | GRPO @ matched = 3\nKey | GRPO is good\nKey | SALT @ matched = 3')),
    ).toEqual([
      '“Sokoban | GRPO @ matched = 3” names no table or no relation.',
      '“Key | GRPO is good” names no table or no relation.',
      '“Key | SALT @ matched = 3”: there is no cell “SALT @ matched”.',
    ]);
  });
});

test.each([
  ['GRPO is slower than GiGPO.', 'Key and door: same | GiGPO @ matched << GRPO @ matched'],
  ['HGPO and GiGPO cannot be told apart.', 'Key and door: same | HGPO @ matched ~ GiGPO @ matched'],
  [
    'GRAFT (one step) is the fastest, at 33.',
    'Key | GRAFT (one step) @ matched lowest\nKey | GRAFT (one step) @ matched = 33',
  ],
  ['LOOP gets there in 4 of 8 seeds.', 'Key | LOOP @ updates = 4 of 8'],
  [
    'What never gets there is slower than all others: MARS.',
    'Key | HGPO @ updates << MARS @ updates\nKey | LOOP @ updates ~ MARS @ updates',
  ],
  [
    'GRPO differs from GiGPO.',
    'Key and door: seed | GRPO @ less GiGPO >> 0\nKey and door: seed | GRPO @ less GiGPO p <= 0.01',
  ],
  ['It ranks at least 0.6, with β = 0.05.', 'Rank | Key and door @ gradient cosine >= 0.6\ngiven: 0.05'],
])('a sentence that the tables carry stands: %s', (sentence, claims) => {
  expect(wrongClaims(study(sentence, claims))).toEqual([]);
});
