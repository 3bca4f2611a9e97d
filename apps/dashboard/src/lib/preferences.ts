import { useSyncExternalStore } from 'react'

/** What the reader prefers on this machine. Nothing here is a secret. */
interface Preferences {
  readonly zone: string
  readonly paused: boolean
}

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
let current: Preferences = { zone: localStorage.getItem('weir.zone') ?? OWN_ZONE, paused: false }
const listeners = new Set<() => void>()

export function setPreferences(next: Partial<Preferences>): void {
  current = { ...current, ...next }
  if (next.zone !== undefined) localStorage.setItem('weir.zone', next.zone)
  for (const listener of listeners) listener()
}

export const preferences = (): Preferences => current
export const zones = (): readonly string[] => [
  ...new Set([OWN_ZONE, 'UTC', 'America/New_York', 'Europe/London', 'Asia/Singapore']),
]

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, preferences)
}
