/** Opens the stream of events, after the one with this id. */
export function openStream(after?: string, signal?: AbortSignal): Promise<Response> {
  return fetch('/api/core/events', {
    headers: { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    credentials: 'same-origin',
    ...(signal && { signal }),
  })
}

let early: Promise<Response> | undefined

/** Opens the stream before the first reads of a page, so that it has every event that they may not show. */
export function openStreamEarly(): void {
  early = openStream()
  early.catch(() => undefined)
}

/** The stream that was opened early, once; the caller that takes it handles its error. */
export function takeEarlyStream(): Promise<Response> | undefined {
  const taken = early
  early = undefined
  return taken
}
