import { type Answer, ApiError, sendForPages } from '../../api/client.ts'

const RETRIES_MAX = 5
const RETRY_SECONDS = 2
/** How often a list whose response broke off is read again. */
const RESTARTS_MAX = 2

/** A list of the service, and where the rows of a page of it are. */
export interface Listing<T, D> {
  /** The path without its page, such as `/api/core/webhooks?status=failed`. */
  readonly path: string
  readonly rows: (data: D, answer: Answer<D>) => { readonly items: readonly T[]; readonly total: number }
  readonly id: (row: T) => string | number
}

/** The path with a page of it. */
export function paged(path: string, offset: number, limit: number): string {
  return `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${offset}`
}

/** A page of rows, and how many rows the list has. With `startsOver`, what was read before it does not count. */
interface PageOfRows<T> {
  readonly rows: readonly T[]
  readonly total: number
  readonly startsOver: boolean
}

/**
 * Every row of a list, page by page as the service sends them in one response. Where its pages go by offset, rows that are
 * added meanwhile push others onto the next page: what was read is left out there. A response that breaks off, as after a
 * replacement of the session's cookie (ADR 195), is read again from the beginning: rows have moved since. Throws
 * {@link ApiError} if it breaks off again and again.
 */
export async function* readAll<T, D>(listing: Listing<T, D>, signal: AbortSignal): AsyncGenerator<PageOfRows<T>> {
  for (let restarts = 0; ; restarts += 1) {
    const pages = await patiently(() => sendForPages<D>(listing.path, signal), signal)
    try {
      let startsOver = restarts > 0
      for await (const page of rowsOf(pages, listing)) {
        yield { ...page, startsOver }
        startsOver = false
      }
      return
    } catch (error) {
      if (!(error instanceof ApiError) || restarts === RESTARTS_MAX) throw error
    }
    await pause(RETRY_SECONDS, signal)
  }
}

/** The first rows of a list, at most `max`, and how many the list has. Throws {@link ApiError}. */
export async function readFirst<T, D>(
  listing: Listing<T, D>,
  max: number,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (count: number) => void },
): Promise<{ readonly rows: readonly T[]; readonly total: number }> {
  let all: T[] = []
  let total = 0
  for await (const page of readAll(listing, signal)) {
    if (page.startsOver) all = []
    all.push(...page.rows)
    total = Math.max(page.total, all.length)
    onRead(Math.min(all.length, max))
    if (all.length >= max) break
  }
  return { rows: all.slice(0, max), total }
}

async function* rowsOf<T, D>(pages: AsyncIterable<Answer<D>>, { rows, id }: Listing<T, D>) {
  const seen = new Set<string | number>()
  for await (const answer of pages) {
    const { items, total } = rows(answer.data, answer)
    const fresh = items.filter((row) => !seen.has(id(row)))
    for (const row of fresh) seen.add(id(row))
    yield { rows: fresh, total }
  }
}

/** Repeats a request that the service refuses for a moment: it limits how many lists an organization reads at once. */
async function patiently<T>(begin: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await begin()
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
