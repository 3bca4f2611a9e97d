/** Opens the stream of events, after the one with this id. */
export function openStream(after?: string, signal?: AbortSignal): Promise<Response> {
  return fetch('/api/core/events', {
    headers: { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    credentials: 'same-origin',
    ...(signal && { signal }),
  })
}

let early: { readonly response: Promise<Response>; readonly abort: AbortController } | undefined

/** Opens the stream before the first reads of a page, so that it has every event that they may not show. */
export function openStreamEarly(): void {
  const abort = new AbortController()
  early = { response: openStream(undefined, abort.signal), abort }
  early.response.catch(() => undefined)
}

/** Ends the stream that was opened early, unless it was taken: it is another session's, or nobody's. */
export function dropEarlyStream(): void {
  early?.abort.abort()
  early = undefined
}

/** The stream that was opened early, once, until `signal`; `undefined` where there is none, or it was refused. */
export async function takeEarlyStream(signal: AbortSignal): Promise<Response | undefined> {
  const taken = early
  early = undefined
  if (taken === undefined) return undefined
  const end = () => taken.abort.abort()
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  const response = await taken.response
  if (response.ok) return response
  end()
  return undefined
}
