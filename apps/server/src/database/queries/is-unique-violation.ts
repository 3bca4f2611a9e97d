/** Whether a statement failed because a unique index has its values: two transactions chose the same name at once. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23505'
