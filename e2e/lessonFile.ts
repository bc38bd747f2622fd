/** A lesson with every kind of block that trains within a second; one of its claims is wrong on purpose. */
export const LESSON = `
format: 1
id: two-rates
title: Two rates
minutes: 3
objective: See what the learning rate decides.
arms:
  - { id: small, label: Small rate, preset: lesson-grpo, changes: { run.seeds: 2, run.updates: 16, analysis.evalEvery: 0 } }
  - id: large
    label: Large rate
    preset: lesson-grpo
    changes: { run.seeds: 2, run.updates: 16, analysis.evalEvery: 0, optimizer.learningRate: 0.8 }
blocks:
  - say: |
      The [[π|policy]] moves *a little* or **a lot**; \`0.05\` and \`0.8\`. <b onclick="alert(1)">Not bold</b>

      - one
      - two
  - show: { arm: large, tab: watch, layer: visits, pace: full }
    words: Show the large rate
  - predict: { id: which, question: Which one learns?, choices: [The small one, The large one] }
  - predict: { id: how, question: How often does it succeed?, number: { min: 0, max: 1, unit: of all episodes } }
  - run: [small, large]
    chart: [success, entropy]
  - reveal: { of: which, answer: 1, text: The *large* one. }
  - reveal: { of: how, answer: learned, text: About this often. }
  - formula:
      text: d = a − b
      values: { a: "mean(last(large, success))", b: "mean(last(small, success))", d: a - b }
  - check: learned
  - check: wrong
  - exercise:
      id: own
      text: Make the small rate learn.
      arm: small
      fields: [optimizer.learningRate, advantage.method]
      goal: goal
  - terms: [π, η]
checks:
  - { id: learned, says: The large rate learns., value: "mean(last(large, success))", atLeast: 0.3, source: engine }
  - { id: wrong, says: The small rate learns as well., value: "mean(last(small, success))", atLeast: 0.9, source: exact }
  - { id: goal, says: Three in ten succeed., value: "mean(last(small, success))", atLeast: 0.3, source: specification }
limits: One table is no network.
papers: [{ title: A paper, arxiv: "2505.10978" }]
`;
