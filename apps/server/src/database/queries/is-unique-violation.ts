import { sqlStateOf } from './sql-state.ts'

/** Whether a statement failed because a unique index has its values: two transactions chose the same name at once. */
export const isUniqueViolation = (error: unknown): boolean => sqlStateOf(error) === '23505'
