import { onNewCookie } from './cookie-news.ts'
import { openStream, takeEarlyStream } from './open-stream.ts'

export type LiveState = 'connecting' | 'live' | 'unavailable'

/** How long until a stream that ended is opened again. What changed meanwhile is read then. */
const POLL_MS = 15_000
/** The service sends something every 15 seconds; browsers never notice by themselves that it is gone. */
const SILENCE_MS = 45_000

/**
 * Follows the stream until `signal`; without one it reads again every quarter of a minute. Browsers open few connections
 * to a host: tabs that nobody sees hold none, and catch up when they are seen. A stream ends half a minute after the
 * cookie that opened it was replaced (ADR 195): it is opened with the new one at once, after the last event.
 */
export async function followEvents(
  signal: AbortSignal,
  changed: () => void,
  report: (state: LiveState) => void,
): Promise<void> {
  let last: string | undefined
  // At first the page has just read what it shows.
  let hasMissed = false
  while (!signal.aborted) {
    if (document.hidden) {
      hasMissed = true
      await seen(signal)
      changed()
    }
    const left = new AbortController()
    const leave = () => left.abort()
    const onVisibility = () => {
      if (document.hidden) leave()
    }
    document.addEventListener('visibilitychange', onVisibility)
    const stop = onNewCookie(leave)
    try {
      const both = AbortSignal.any([signal, left.signal])
      const response = (await takeEarlyStream(both)) ?? (await openStream(last, both))
      if (!response.ok || response.body === null) throw new Error(String(response.status))
      report('live')
      // It begins with the next event: what happened until now is read after it is open.
      if (hasMissed && last === undefined) changed()
      for await (const { id, isEvent } of framesOf(response.body)) {
        last = id
        if (isEvent) changed()
      }
    } catch {
      if (signal.aborted) return
      if (!left.signal.aborted) report('unavailable')
    } finally {
      document.removeEventListener('visibilitychange', onVisibility)
      stop()
      hasMissed = true
    }
    if (left.signal.aborted) continue
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (!signal.aborted) changed()
  }
}

/** The frames that say where the stream is; the first is no event. Ends with the stream, and when it is silent. */
async function* framesOf(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly id: string; readonly isEvent: boolean }> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  for (let rest = ''; ; ) {
    const silence = setTimeout(() => void reader.cancel().catch(() => undefined), SILENCE_MS)
    const { value, done } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return
    const frames = (rest + value).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const id = /^id: (\d+)$/m.exec(frame)?.[1]
      if (id !== undefined) yield { id, isEvent: /^data: /m.test(frame) }
    }
  }
}

/** Waits until the tab is in front, or `signal`. */
function seen(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', done)
      resolve()
    }
    document.addEventListener('visibilitychange', done)
    signal.addEventListener('abort', done)
  })
}
