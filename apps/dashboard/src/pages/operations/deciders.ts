import type { Schema } from '../../api/types.ts'

/** Who approved, or who rejected: an approval before the rejection is no part of it. Email addresses. */
export const decidersOf = (
  decisions: readonly Pick<Schema<'OperationDecision'>, 'email' | 'decision'>[],
  wanted: 'approve' | 'reject',
): readonly string[] => decisions.filter(({ decision }) => decision === wanted).map(({ email }) => email)
