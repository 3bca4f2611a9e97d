import { useEffect, useRef, useState } from 'react'
import { paced } from '../lib/paced.ts'
import { preferences, usePreferences } from '../lib/preferences.ts'
import { readAgain } from '../lib/read-again.ts'
import { openStream, takeEarlyStream } from './open-stream.ts'
import { onOtherTabs } from './tabs.ts'
import { queryClient } from './use-api.ts'

export type LiveState = 'connecting' | 'live' | 'unavailable'

/** Each run reads everything that the page shows: events that never pause must not use up what a person may ask. */
const PACE = { settleMs: 700, intervalMs: 3_000, longestMs: 15_000 }
const POLL_MS = 15_000
/** The service sends something every 15 seconds; browsers never notice by themselves that it is gone. */
const SILENCE_MS = 45_000

/**
 * Reads every table again when the service reports an event, or another tab changed something. While updates are paused
 * nothing moves; `waiting` counts what has happened since.
 */
export function useLiveUpdates(): { readonly state: LiveState; readonly waiting: number } {
  const { paused } = usePreferences()
  const [state, setState] = useState<LiveState>('connecting')
  const [waiting, setWaiting] = useState(0)

  useEffect(() => {
    const abort = new AbortController()
    const reading = paced(() => readAgain(queryClient, () => reading.ask()), PACE)
    const changed = () => {
      if (preferences().paused) {
        setWaiting((count) => count + 1)
        return
      }
      reading.ask()
    }
    void follow(abort.signal, changed, setState)
    // A hidden tab catches up when it is seen.
    const stop = onOtherTabs('data', () => {
      if (!document.hidden) changed()
    })
    return () => {
      stop()
      abort.abort()
      reading.stop()
    }
  }, [])

  const wasPaused = useRef(paused)
  useEffect(() => {
    const isResumed = wasPaused.current && !paused
    wasPaused.current = paused
    // A page that has just been opened has just read what it shows.
    if (!isResumed) return
    setWaiting(0)
    void queryClient.invalidateQueries()
  }, [paused])
  return { state, waiting }
}

/**
 * Follows the stream until `signal`; without one it reads again every quarter of a minute. Browsers open few connections
 * to a host: tabs that nobody sees hold none, and catch up when they are seen.
 */
async function follow(signal: AbortSignal, changed: () => void, report: (state: LiveState) => void): Promise<void> {
  let last: string | undefined
  while (!signal.aborted) {
    if (document.hidden) {
      await seen(signal)
      changed()
    }
    const hidden = new AbortController()
    const onVisibility = () => {
      if (document.hidden) hidden.abort()
    }
    document.addEventListener('visibilitychange', onVisibility)
    try {
      const both = AbortSignal.any([signal, hidden.signal])
      const response = (await takeEarlyStream(both)) ?? (await openStream(last, both))
      if (!response.ok || response.body === null) throw new Error(String(response.status))
      report('live')
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let rest = ''; ; ) {
        const silence = window.setTimeout(() => void reader.cancel().catch(() => undefined), SILENCE_MS)
        const { value, done } = await reader.read().finally(() => window.clearTimeout(silence))
        if (done) break
        const frames = (rest + value).split('\n\n')
        rest = frames.pop() ?? ''
        for (const frame of frames) {
          const id = /^id: (\d+)$/m.exec(frame)?.[1]
          if (id === undefined) continue
          last = id
          // The first frame only says where the stream begins.
          if (/^data: /m.test(frame)) changed()
        }
      }
    } catch {
      if (signal.aborted) return
      if (!hidden.signal.aborted) report('unavailable')
    } finally {
      document.removeEventListener('visibilitychange', onVisibility)
    }
    if (hidden.signal.aborted) continue
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (!signal.aborted) changed()
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
