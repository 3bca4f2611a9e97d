import { useEffect, useRef, useState } from 'react'
import { rowsLeft } from '../lib/page/at-rows.ts'
import { preferences, usePreferences } from '../lib/page/preferences.ts'
import { paced } from '../lib/requests/paced.ts'
import { readAgain } from '../lib/requests/read-again.ts'
import { followEvents, type LiveState } from './follow-events.ts'
import { onOtherTabs } from './tabs.ts'
import { queryClient } from './use-api.ts'

/**
 * Each run reads everything that the page shows: events that never pause must not use up what a person may ask. It may
 * wait for a quarter of a minute before it reads, and for another one until it has read.
 */
const PACE = { settleMs: 700, intervalMs: 3_000, longestMs: 30_000 }

/**
 * Reads every table again when the service reports an event, or another tab changed something. While updates are paused
 * nothing moves, and for a while nothing moves under somebody's pointer; `waiting` counts what has happened since. What a
 * person changes on this page is read without this.
 */
export function useLiveUpdates(): { readonly state: LiveState; readonly waiting: number } {
  const { paused } = usePreferences()
  const [state, setState] = useState<LiveState>('connecting')
  const [waiting, setWaiting] = useState(0)

  useEffect(() => {
    const abort = new AbortController()
    let isHeld = false
    const read = async () => {
      await rowsLeft(abort.signal, () => {
        isHeld = true
        setWaiting(1)
      })
      // What has happened since is read, too.
      if (isHeld) setWaiting(0)
      isHeld = false
      if (!abort.signal.aborted) await readAgain(queryClient, () => reading.ask())
    }
    const reading = paced(read, PACE)
    const changed = () => {
      const { paused: isPaused } = preferences()
      if (isPaused || isHeld) setWaiting((count) => count + 1)
      if (!isPaused) reading.ask()
    }
    void followEvents(abort.signal, changed, setState)
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
