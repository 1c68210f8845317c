export const en = {
  somethingBroke: 'Something went wrong on our side. Nothing was spent. Please try again in a moment.',
} as const;
