import { type Answer, send } from './client.ts'
import { isKnown } from './early-session.ts'
import { dropEarlyStream, openStreamEarly } from './open-stream.ts'
import { OVERVIEW } from './overview-reads.ts'

/** What was requested before the page was there, by its path. */
const ahead = new Map<string, Promise<Answer<unknown> | undefined>>()

/**
 * Requests what the overview shows while the browser still evaluates the page: it is here when the page is. Only where
 * somebody signed in before. A refusal is no answer: the page asks again, and handles it.
 */
export function readAhead({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void {
  // A tab that nobody sees holds no stream, and reads when it is seen.
  if (!isKnown() || document.hidden || pathname !== '/' || search !== '') return
  openStreamEarly()
  let turn = Promise.resolve()
  for (const path of Object.values(OVERVIEW)) {
    // Each in a task of its own: all in one would hold up a phone.
    turn = turn.then(() => new Promise((resolve) => setTimeout(resolve)))
    const sent = turn.then(() => send('GET', path, { isSignIn: true }))
    ahead.set(
      path,
      sent.catch(() => undefined),
    )
  }
}

/** What was requested ahead of the page, once. */
export async function takeAhead<T>(path: string): Promise<Answer<T> | undefined> {
  const taken = ahead.get(path) as Promise<Answer<T> | undefined> | undefined
  ahead.delete(path)
  return taken
}

/** Keeps each answer where pages look for it: what is there before the first render is part of it. */
export function keepAhead(keep: (path: string, answer: Answer<unknown>) => void): void {
  for (const [path, coming] of ahead) {
    void coming.then((answer) => {
      if (answer === undefined || !ahead.delete(path)) return
      keep(path, answer)
    })
  }
}

/** Nobody is shown what was read ahead for another session, and no stream of it is followed. */
export function forgetAhead(): void {
  ahead.clear()
  dropEarlyStream()
}
