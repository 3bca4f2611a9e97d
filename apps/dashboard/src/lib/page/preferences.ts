import { useSyncExternalStore } from 'react'
import { ownZone } from '../dates/time.ts'

/** What the reader prefers on this machine. Nothing here is a secret. */
interface Preferences {
  readonly zone: string
  readonly paused: boolean
}

let current: Preferences | undefined
const listeners = new Set<() => void>()

export function setPreferences(next: Partial<Preferences>): void {
  current = { ...preferences(), ...next }
  if (next.zone !== undefined) localStorage.setItem('weir.zone', next.zone)
  for (const listener of listeners) listener()
}

/** Read when a page first needs them, and not while the scripts are evaluated: in some browsers the zone takes long. */
export function preferences(): Preferences {
  current ??= { zone: localStorage.getItem('weir.zone') ?? ownZone(), paused: false }
  return current
}
export const zones = (): readonly string[] => [
  ...new Set([ownZone(), 'UTC', 'America/New_York', 'Europe/London', 'Asia/Singapore']),
]

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, preferences)
}
