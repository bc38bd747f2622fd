/** Settings that several reward modules have. */
export const common = {
  potential: {
    kind: 'choice',
    label: 'Potential',
    default: 'distance',
    options: ['distance', 'milestone', 'value'],
    optionLabels: ['distance to the goal', 'milestones reached', 'optimal value'],
    doc: 'What a state is worth before anything is learned.',
    formula: 'Φ',
  },
} as const;
