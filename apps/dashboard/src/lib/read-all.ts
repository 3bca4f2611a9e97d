import { type Answer, ApiError, send } from '../api/client.ts'

const PAGE = 100
const RETRIES_MAX = 5
const RETRY_SECONDS = 2
/** Requests of a minute that are left to the person who reads on meanwhile. */
const KEPT = 60

/** A list of the service, and how its pages are read. */
export interface Listing<T, D> {
  /** The path without its page, such as `/api/core/webhooks?status=failed`. */
  readonly path: string
  readonly rows: (data: D, answer: Answer<D>) => { readonly items: readonly T[]; readonly total: number }
  readonly id: (row: T) => string | number
  /** For lists that are read by `before`: the id of a row. */
  readonly keyOf?: ((row: T) => number) | undefined
  /** For lists that have a cursor in place of an offset: the `before` of the next page; undefined at the end. */
  readonly next?: ((data: D) => number | undefined) | undefined
}

/** The path with a page of it. */
export function paged(path: string, offset: number, limit: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${offset}`
}

/**
 * Every row of a list, page by page, and how many there are. Where pages go by offset, rows that are added meanwhile push
 * others onto the next page: what was read is left out there. Most of the person's requests of a minute may be used.
 */
export async function* readAll<T, D>(
  { path, rows, id, keyOf, next }: Listing<T, D>,
  signal: AbortSignal,
): AsyncGenerator<{ readonly rows: readonly T[]; readonly total: number }> {
  const seen = new Set<string | number>()
  let before: number | undefined
  for (let offset = 0; ; offset += PAGE) {
    const page = next
      ? `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&before=${before ?? 0}`
      : `${paged(path, before === undefined ? offset : 0, PAGE)}${before === undefined ? '' : `&before=${before}`}`
    const answer = await patiently(() => send<D>('GET', page, { signal }), signal)
    const { items, total } = rows(answer.data, answer)
    const fresh = items.filter((row) => !seen.has(id(row)))
    yield { rows: fresh, total }
    if (next) {
      before = next(answer.data)
      if (before === undefined) return
    } else if (items.length < PAGE) return
    else if (keyOf) before = keyOf(items.at(-1)!)
    else for (const row of fresh) seen.add(id(row))
    const { allowance } = answer
    if (allowance && allowance.remaining < KEPT) await pause(allowance.resetSeconds, signal)
  }
}

/** Repeats a read that the service refuses for a moment: it limits how many one person sends in a minute. */
async function patiently<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      const isTemporary = error instanceof ApiError && (error.status === 429 || error.status === 503)
      if (!isTemporary || attempt > RETRIES_MAX) throw error
      await pause(error.retryAfterSeconds ?? RETRY_SECONDS, signal)
    }
  }
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
