import { CHAIN_TEXT_LENGTH_MAX } from '../../kernel/index.ts'

/** What an answer without usable responses means. `refused`: the batch as a whole, so a smaller one may be taken. */
export type BatchVerdict = 'refused' | 'limited' | 'bad'

/** Providers report "too many requests" in a regular response; another endpoint may still serve. */
const RATE_LIMIT_CODES = new Set<unknown>([429, -32_005, -32_097])

/** Statuses by which servers refuse what is in a request. The others are about access, the address or an outage. */
const STATUSES_OF_CONTENT = new Set([400, 413, 422, 500])

/** Some nodes report a batch that is too large under a code or a status for too many requests. */
const OF_BATCHES = /batch/i

export function isRateLimit(code: unknown): boolean {
  return RATE_LIMIT_CODES.has(code)
}

/** Judges a response that is no list; `answer` is its JSON, if it has any. */
export function judgeAnswer(status: number, answer: unknown, text: string): BatchVerdict {
  const isObject = typeof answer === 'object' && answer !== null
  const isError = status >= 400
  if ((isObject || isError) && OF_BATCHES.test(text.slice(0, CHAIN_TEXT_LENGTH_MAX))) return 'refused'
  if (status === 429 || isRateLimit(errorOf(answer)?.code)) return 'limited'
  return (isError ? STATUSES_OF_CONTENT.has(status) : isObject) ? 'refused' : 'bad'
}

/** Judges a list that lacks responses: geth refuses a batch by one error with the id of its first call. */
export function judgeIncomplete(answers: readonly unknown[]): BatchVerdict {
  const errors = answers.map(errorOf)
  if (errors.includes(undefined)) return 'bad'
  if (errors.some((error) => OF_BATCHES.test(String(error?.message)))) return 'refused'
  return errors.some((error) => isRateLimit(error?.code)) ? 'limited' : 'refused'
}

function errorOf(answer: unknown): { readonly code?: unknown; readonly message?: unknown } | undefined {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined
  return typeof error === 'object' && error !== null ? error : undefined
}
