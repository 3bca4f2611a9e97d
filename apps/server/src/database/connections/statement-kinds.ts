const OUTSIDE_TRANSACTION = [
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|for\s+(?:key\s+)?share|nextval|setval)\b/i,
  /^\s*(?:create|alter|drop|truncate|analyze|vacuum|reindex|comment|grant|revoke|do|call)\b/i,
]

/** Whether a statement outside a transaction may write, or lock rows. It may be wrong on the side of writing. */
export const mayWrite = (text: string): boolean => OUTSIDE_TRANSACTION.some((pattern) => pattern.test(text))

/** Whether a statement commits a transaction. */
export const endsTransaction = (text: string): boolean => /^\s*(?:commit|end)\b/i.test(text)

/** Whether a statement may change rows, so that its row count means changes. */
export const mayChangeRows = (text: string): boolean => /^\s*(?:insert|update|delete|with)\b/i.test(text)

/** Whether an argument of `query` is a cursor or a stream, which sends itself. */
export const isSubmittable = (query: unknown): boolean =>
  typeof (query as { readonly submit?: unknown } | null)?.submit === 'function'

/** The statement in an argument of `query`: a text, or an object with one. */
export const textOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { readonly text?: string } | null)?.text ?? '')
